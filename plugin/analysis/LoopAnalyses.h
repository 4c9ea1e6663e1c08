// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's analyses of one function's loops, made together: trip counts as expressions.
#ifndef GPUPROF_ANALYSIS_LOOPANALYSES_H
#define GPUPROF_ANALYSIS_LOOPANALYSES_H

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"

namespace gpuprof {

/// Valid while the function's blocks stay unchanged, except for preheaders made with it.
struct LoopAnalyses {
  explicit LoopAnalyses(llvm::Function &F);
  llvm::DominatorTree Dominators;
  llvm::LoopInfo Loops;
  llvm::AssumptionCache Assumptions;
  llvm::TargetLibraryInfoImpl LibraryImplementation;
  llvm::TargetLibraryInfo Library;
  llvm::ScalarEvolution Evolution;
};

} // namespace gpuprof
#endif
