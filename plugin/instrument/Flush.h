// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of a kernel's thread: its counts are added to the counters in memory.
#ifndef GPUPROF_INSTRUMENT_FLUSH_H
#define GPUPROF_INSTRUMENT_FLUSH_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace gpuprof {

/// Counters that count to one at most share words: so many in a word of 32 bits, each of so many bits, which
/// hold the sum over a warp too.
constexpr unsigned PackedGroups = 5, PackedBits = 6;

/// What a variable of a thread holds when it ends.
struct LocalCount {
  llvm::Value *Count = nullptr; // i32 or i64
  unsigned Group = 0;           // of a packed word the first
  uint64_t Most = 0;            // what is in it at most; of a packed word in each part
  bool IsPacked = false;        // the counts of PackedGroups groups
  bool IsUniform = false;       // the same in all threads that end together
};

struct FlushPlan {
  llvm::Value *Base = nullptr; // i64: address of the kernel's counters, 0 = do not count
  unsigned RowLength = 0;      // counters of a slot
  unsigned Groups = 0;
  llvm::SmallVector<LocalCount, 16> Counts;
  llvm::Value *Array = nullptr; // i64[Groups]: counts of called functions, or null
  bool Resets = false;          // the thread may go on: the array begins at zero again
  bool ForCpu = false;
  bool SeveralBases = false; // threads that are at a place together may have different bases
  bool IsLine = false;       // blocks have numbers in one dimension only
};

/// Where threads of a function end or may end: returns, and the exit instruction.
llvm::SmallVector<llvm::Instruction *, 4> exitsOf(llvm::Function &F);

/// Gives each way to a return its own, where threads may wait for each other: code at a common return would
/// be a point of reconvergence, at which threads that are done would wait for threads that wait for them.
void separateReturns(llvm::Function &F);

/// The number in sm_90; 0: none is named.
unsigned architectureOf(const llvm::Function &F);

/// The slot of counters that the running thread adds to, i32.
llvm::Value *counterSlot(llvm::IRBuilder<> &Builder, bool ForCpu);

/// Emits the additions before `Exit`.
void emitFlush(llvm::Instruction &Exit, const FlushPlan &Plan);

} // namespace gpuprof
#endif
