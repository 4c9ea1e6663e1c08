// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds values equal in all lanes of a warp.
#ifndef GPUPROF_COSTS_WARPUNIFORMITY_H
#define GPUPROF_COSTS_WARPUNIFORMITY_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class Use;
} // namespace llvm

namespace gpuprof {

/// The provable facts of one function. Valid until the function is changed.
class WarpUniformity {
public:
  explicit WarpUniformity(llvm::Function &F);
  /// True if all lanes of a warp executing the user together see one value there.
  bool isUniform(const llvm::Use &U) const;
  /// True if lanes reaching the end of a block together may go on to different blocks.
  bool mayDiverge(const llvm::BasicBlock &BB) const;

private:
  llvm::FunctionAnalysisManager Analyses;
  llvm::Function &F;
};

} // namespace gpuprof
#endif
