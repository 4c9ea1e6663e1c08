// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles of whole warps, and the arithmetic between them, as one convergent operation: a warp's values stay in
// vectors of 32 elements.
#ifndef GPUPROF_WORKITEM_WARPRUNS_H
#define GPUPROF_WORKITEM_WARPRUNS_H

#include "workitem/BlockCounts.h"
#include "workitem/LowerConvergentOps.h"
#include "llvm/ADT/DenseSet.h"

namespace gpuprof::cpu {

/// The runs of a body. Each stands in one block of code, without any other instruction between.
class WarpRuns {
public:
  /// Finds the runs, and moves their instructions together.
  WarpRuns(llvm::Function &F, const BlockCounts &Counts);
  /// True if the instruction is in a run, but not its first.
  bool continues(const llvm::Instruction &I) const { return Following.contains(&I); }
  /// The instructions of the run that begins here; empty: none does.
  llvm::ArrayRef<llvm::Instruction *> of(const llvm::Instruction &First) const;

private:
  void find(llvm::BasicBlock &Block, const BlockCounts &Counts);

  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<llvm::Instruction *>> Runs;
  llvm::DenseSet<const llvm::Instruction *> Following;
};

/// Facts of the block, where a run is lowered.
struct WarpRunSite {
  const llvm::Argument &State; // the thread's
  llvm::Value *Sizes[3];       // of the block: z, y, x
  // The threads inside along x, if they are a range: i32. Null: all.
  llvm::Value *Low, *Count;
  llvm::function_ref<bool(const llvm::Value *)> Differs; // from thread to thread
};
/// A value of a run that is used behind it: of the running thread, and the array of all threads.
struct WarpResult {
  llvm::Instruction *Of = nullptr;
  llvm::Instruction *Value = nullptr; // a load from the array, or a bit of it
  llvm::AllocaInst *Array = nullptr;
};
/// Emits the run in front of the loop over threads.
llvm::SmallVector<WarpResult> lowerWarpRun(const ConvergentSite &Site, const WarpRunSite &Block,
                                           llvm::ArrayRef<llvm::Instruction *> Run);

} // namespace gpuprof::cpu
#endif
