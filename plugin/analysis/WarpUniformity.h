// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values are the same in all lanes of a warp.
#ifndef GPUPROF_ANALYSIS_WARPUNIFORMITY_H
#define GPUPROF_ANALYSIS_WARPUNIFORMITY_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class Use;
} // namespace llvm

namespace gpuprof {

/// What can be proved of one function. Valid until the function is changed.
class WarpUniformity {
public:
  explicit WarpUniformity(llvm::Function &F);
  /// True if all lanes of a warp that execute the user together see one value there.
  bool isUniform(const llvm::Use &U) const;
  /// True if lanes that come to the end of a block together may go on to different ones.
  bool mayDiverge(const llvm::BasicBlock &BB) const;

private:
  llvm::FunctionAnalysisManager Analyses;
  llvm::Function &F;
};

} // namespace gpuprof
#endif
