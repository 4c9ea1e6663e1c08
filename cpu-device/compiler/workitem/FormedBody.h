// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A body whose loops over threads are being formed.
#ifndef GPUPROF_WORKITEM_FORMEDBODY_H
#define GPUPROF_WORKITEM_FORMEDBODY_H

#include "workitem/BlockCounts.h"
#include "workitem/ParallelRegions.h"
#include "workitem/WarpRuns.h"

namespace gpuprof::cpu {

/// Facts shared by the parts of the formation.
struct FormedBody {
  FormedBody(Lowering &L, Kernel &K, ParallelRegions &Regions, const ThreadVariation &Variations,
             BlockCounts &Counts, const WarpRuns &Runs)
      : L(L), K(K), F(*K.Body), Regions(Regions), Variations(Variations), Counts(Counts), Runs(Runs) {}
  /// An array of one element a thread.
  llvm::AllocaInst *array(llvm::Type *T) const;
  /// Code of an iteration goes before it.
  llvm::Instruction *startOfTurn(ParallelRegion &R) { return Loops[&R].First->getTerminator(); }
  /// Unlinks the instruction without deleting it: a new value at its address would be mistaken for it.
  void bury(llvm::Instruction &I);

  Lowering &L;
  Kernel &K;
  llvm::Function &F;
  ParallelRegions &Regions;
  const ThreadVariation &Variations;
  BlockCounts &Counts;
  const WarpRuns &Runs;
  llvm::BasicBlock *Setup = nullptr;                      // runs once a block
  llvm::SmallSetVector<llvm::Instruction *, 4> Variables; // private to each thread
  llvm::Value *Sizes[3] = {};                             // z, y, x
  llvm::Value *Threads = nullptr;
  llvm::DenseMap<ParallelRegion *, LoopNest> Loops;
  llvm::SmallVector<llvm::Instruction *> Dead; // kept until the end: tables contain their addresses
};

} // namespace gpuprof::cpu
#endif
