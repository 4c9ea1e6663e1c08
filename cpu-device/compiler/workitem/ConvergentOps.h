// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convergent operations: calls at which threads of a block wait for one another.
#ifndef GPUPROF_WORKITEM_CONVERGENTOPS_H
#define GPUPROF_WORKITEM_CONVERGENTOPS_H

#include "module/Lowering.h"
#include "llvm/IR/Instructions.h"

namespace gpuprof::cpu {

enum class ConvergentOp {
  None,
  Barrier,
  BarrierReduce,
  WarpSync,
  Shuffle,
  Vote,
  Reduction,
  Match,
  ActiveMask,
  Matrix,
  Unknown
};
/// The kind of `I`. Unknown: a convergent operation in a form left to fibers.
ConvergentOp convergentOp(const llvm::Instruction &I);
/// Does this barrier wait for all blocks of the cluster?
bool isForCluster(const llvm::CallInst &I);
/// The member mask of a warp operation; null: it has none.
llvm::Value *memberMask(const llvm::CallInst &I);
/// Does the member mask name all 32 lanes?
bool isFullWarp(const llvm::CallInst &I);

} // namespace gpuprof::cpu
#endif
