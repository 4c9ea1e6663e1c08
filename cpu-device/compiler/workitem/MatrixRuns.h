// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix instructions that follow one another, as one convergent operation.
#ifndef GPUPROF_WORKITEM_MATRIXRUNS_H
#define GPUPROF_WORKITEM_MATRIXRUNS_H

#include "workitem/LowerConvergentOps.h"

namespace gpuprof::cpu {

/// Moves matrix instructions together, so that one parallel region begins with the whole run.
void joinMatrices(llvm::Function &F);
/// Does a matrix instruction follow another with only the registers of its result between?
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
