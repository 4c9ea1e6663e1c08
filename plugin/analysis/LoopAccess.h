// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of a loop that can be recorded before it, by one call for all iterations: the mechanism of sector
// marking on a GPU and of the CPU device's sector trace.
#ifndef GPUPROF_ANALYSIS_LOOPACCESS_H
#define GPUPROF_ANALYSIS_LOOPACCESS_H

#include "analysis/LoopAnalyses.h"

#include <optional>

namespace gpuprof {

/// Does each iteration execute the block exactly once? A loop with one exit, at the end of its iterations,
/// executes all blocks that dominate it.
bool runsEachIteration(const LoopAnalyses &Known, const llvm::Loop &L, const llvm::BasicBlock &Block);

/// The number of iterations but one; null: it is not known before the loop.
const llvm::SCEV *backedgeTakenCount(LoopAnalyses &Known, const llvm::Loop &L);

/// The constant distance of two addresses.
std::optional<int64_t> distance(LoopAnalyses &Known, const llvm::SCEV *From, const llvm::SCEV *To);

/// The addresses of an access in the iterations of a loop: Start, Start + Step, … Step is 0 where they are
/// equal.
struct LoopAccess {
  const llvm::SCEV *Start, *Step;
};

/// None: they have no one step.
std::optional<LoopAccess> loopAccess(LoopAnalyses &Known, const llvm::Loop &L, llvm::Value *Pointer);

/// The same as values, with the trip count in 64 bits.
struct LoopAccessValues {
  llvm::Value *Start, *Step, *Count;
};

/// Can they be computed ahead of the loop? It needs a preheader and a known trip count.
bool canComputeAhead(LoopAnalyses &Known, const llvm::Loop &L, const LoopAccess &A);
/// Computes them at the end of the preheader.
LoopAccessValues computeAhead(LoopAnalyses &Known, const llvm::Loop &L, const LoopAccess &A);

} // namespace gpuprof
#endif
