// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of a loop recordable before it, by one call for all iterations. Used by sector marking on a GPU
// and by the CPU device's sector trace.
#ifndef GPUPROF_ANALYSIS_LOOPACCESS_H
#define GPUPROF_ANALYSIS_LOOPACCESS_H

#include "analysis/LoopAnalyses.h"

#include <optional>

namespace gpuprof {

/// True if each iteration executes the block exactly once. A loop with one exit, at the end of its
/// iterations, executes all blocks dominating it.
bool runsEachIteration(const LoopAnalyses &Known, const llvm::Loop &L, const llvm::BasicBlock &Block);

/// The number of iterations minus one; null: unknown before the loop.
const llvm::SCEV *backedgeTakenCount(LoopAnalyses &Known, const llvm::Loop &L);

/// The constant distance of two addresses.
std::optional<int64_t> distance(LoopAnalyses &Known, const llvm::SCEV *From, const llvm::SCEV *To);

/// The addresses of an access in the iterations of a loop: Start, Start + Step, … Step is 0 if they are
/// equal.
struct LoopAccess {
  const llvm::SCEV *Start, *Step;
};

/// None: there is no constant step.
std::optional<LoopAccess> loopAccess(LoopAnalyses &Known, const llvm::Loop &L, llvm::Value *Pointer);

/// The same as values, with the trip count in 64 bits.
struct LoopAccessValues {
  llvm::Value *Start, *Step, *Count;
};

/// True if they can be computed ahead of the loop. The loop needs a preheader and a known trip count.
bool canComputeAhead(LoopAnalyses &Known, const llvm::Loop &L, const LoopAccess &A);
/// Computes them at the end of the preheader.
LoopAccessValues computeAhead(LoopAnalyses &Known, const llvm::Loop &L, const LoopAccess &A);

} // namespace gpuprof
#endif
