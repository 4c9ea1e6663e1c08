// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of a kernel's thread: its counts are added to the counters in memory.
#ifndef GPUPROF_INSTRUMENT_FLUSH_H
#define GPUPROF_INSTRUMENT_FLUSH_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <cstdint>

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace gpuprof {

/// Counters with a maximum of one share words: the number of counters in a 32-bit word, and the bits of each.
/// The bits hold the sum over a warp, too.
constexpr unsigned PackedGroups = 5, PackedBits = 6;
/// Many such counters are bits of 32-bit words instead: fewer registers, and a warp adds up a word at once.
constexpr unsigned BitGroups = 32, FewestForBits = 25;

/// The sum of a warp's counts of so many bits has at most 32. What lies above is each thread's own to add.
constexpr unsigned SummedBits = 27;
constexpr uint64_t SummedMask = (uint64_t(1) << SummedBits) - 1;

/// The content of a thread's variable at its end.
struct LocalCount {
  llvm::Value *Count = nullptr; // i32 or i64
  unsigned Group = 0;           // of a word the first
  uint64_t Most = 0;            // its maximum; of a packed word in each part
  uint32_t Used = 0;            // of a word: a bit for each of its groups that it has
  bool IsPacked = false;        // the counts of PackedGroups groups
  bool IsBits = false;          // the counts of BitGroups groups
  bool IsUniform = false;       // equal in all threads ending together
};

struct FlushPlan {
  llvm::Value *Base = nullptr;  // i64: address of the kernel's counters, 0 = do not count
  llvm::Value *Bound = nullptr; // where that address is if Base is 0; null: nowhere
  bool IsRow = false;          // Base is the address of the row, and not of all counters
  unsigned RowLength = 0;       // counters of a slot
  unsigned Groups = 0;
  llvm::SmallVector<LocalCount, 16> Counts;
  llvm::Value *Array = nullptr; // i64[Groups]: counts of called functions of a kernel with steps, or null
  bool Resets = false;          // the thread may go on: the array begins at zero again
  bool ForCpu = false;
  bool SeveralBases = false; // threads at one place together may have different bases
  bool IsLine = false;       // block indices differ in one dimension only
  bool IsClone = false;      // of few slots, and in short code rather than in few instructions
};

/// The slot of counters for the running thread, i32.
llvm::Value *counterSlot(llvm::IRBuilder<> &Builder, bool ForCpu);

/// Emits the additions before `Exit`.
void emitFlush(llvm::Instruction &Exit, const FlushPlan &Plan);

} // namespace gpuprof
#endif
