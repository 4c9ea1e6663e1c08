// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUPROF_VECTORIZE_MAXIMUMLOOPS_H
#define GPUPROF_VECTORIZE_MAXIMUMLOOPS_H

#include "llvm/IR/PassManager.h"

namespace gpuprof::cpu {

/// Loops that carry a maximum or minimum of floats on stay without LLVM's vectors. LLVM 21 vectorizes them where the floats may be
/// NaN, which no other release does, and crashes if the loop's index is read behind it.
struct MaximumLoopsPass : llvm::PassInfoMixin<MaximumLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &Analyses);
};

} // namespace gpuprof::cpu
#endif
