// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters that a block keeps for all its threads.
#ifndef GPUPROF_WORKITEM_BLOCKCOUNTS_H
#define GPUPROF_WORKITEM_BLOCKCOUNTS_H

#include "module/Lowering.h"
#include "workitem/LoopNest.h"
#include "llvm/ADT/MapVector.h"

namespace gpuprof::cpu {

/// Block counters: all threads of a block count in the same variables, added to memory once.
class BlockCounts {
public:
  /// Finds the variables; none if one has any other use.
  explicit BlockCounts(llvm::Function &F);
  bool isVariable(const llvm::Value *V) const;
  /// To be called before loop formation: removes the work of each thread at its start and end. `Setup` runs
  /// once a block.
  void leaveThreads(llvm::BasicBlock &Setup);
  /// To be called after loop formation: adds the counts of all iterations once a loop, and flushes at the end
  /// of the block.
  void gather(Lowering &L, llvm::ArrayRef<LoopNest> Loops);

private:
  struct Flush {
    llvm::Instruction *Address = nullptr; // of a slot's counters
    llvm::LoadInst *Base = nullptr;
    uint64_t RowBytes = 0;
  };
  static Flush flushAt(llvm::Instruction &I);
  bool match(const Flush &Of);
  bool matchUses(llvm::AllocaInst &Variable) const;
  void flush(Lowering &L);

  llvm::Function &F;
  llvm::SmallVector<Flush, 4> Flushes;
  llvm::MapVector<llvm::AllocaInst *, uint64_t> Groups; // of the variables
  llvm::SmallVector<llvm::Instruction *> Ends;          // the threads' stores into counters
};

} // namespace gpuprof::cpu
#endif
