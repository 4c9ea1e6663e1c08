// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters that a block keeps for all its threads.
#ifndef GPUPROF_WORKITEM_BLOCKCOUNTS_H
#define GPUPROF_WORKITEM_BLOCKCOUNTS_H

#include "lower/Lowering.h"
#include "workitem/LoopNest.h"
#include "llvm/ADT/MapVector.h"

namespace gpuprof::cpu {

/// Block counters: all threads of a block count in the same variables, which are added to memory once.
class BlockCounts {
public:
  /// Finds the variables; none where one is used in any other way.
  explicit BlockCounts(llvm::Function &F);
  bool isVariable(const llvm::Value *V) const;
  /// Before loop formation: removes what each thread does at its start and end. `Setup` runs once a block.
  void leaveThreads(llvm::BasicBlock &Setup);
  /// After it: adds once for a whole loop what each iteration adds, and flushes where the block ends.
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
  llvm::SmallVector<llvm::Instruction *> Ends;          // the stores of threads into counters
};

} // namespace gpuprof::cpu
#endif
