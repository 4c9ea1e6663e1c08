// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Consecutive matrix instructions as one convergent operation.
#ifndef GPUPROF_WORKITEM_MATRIXRUNS_H
#define GPUPROF_WORKITEM_MATRIXRUNS_H

#include "workitem/LowerConvergentOps.h"

namespace gpuprof::cpu {

/// Moves matrix instructions together: one parallel region then begins with the whole run.
void joinMatrices(llvm::Function &F);
/// True if a matrix instruction follows another with only result registers between.
bool continuesRun(const llvm::Instruction &I);
/// The matrix instructions of a run, from its first.
llvm::SmallVector<llvm::CallInst *> runOf(llvm::CallInst &First);
/// A register of a result: of the running thread, and the array of all threads.
struct MatrixResult {
  llvm::LoadInst *Value = nullptr;
  llvm::AllocaInst *Array = nullptr;
};
/// lowerConvergentOp() for a matrix instruction.
llvm::SmallVector<MatrixResult> lowerMatrix(const ConvergentSite &Site, llvm::CallInst &I);

} // namespace gpuprof::cpu
#endif
