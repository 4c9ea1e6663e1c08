// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The form of a body that runs one thread, before its loops over threads are made.
#ifndef GPUPROF_WORKITEM_BODYFORM_H
#define GPUPROF_WORKITEM_BODYFORM_H

#include "module/Lowering.h"
#include "workitem/BlockCounts.h"
#include "workitem/WarpRuns.h"

namespace gpuprof::cpu {

/// Variables that fit registers become values. `Counts` keeps its own.
void promoteVariables(llvm::Function &F, const BlockCounts &Counts);
/// True if a thread has variables in memory.
bool hasVariables(const llvm::Function &F, const BlockCounts &Counts);
/// True if a block's stack has room for the variables of its threads.
bool fitsStack(llvm::Function &F);
/// Each variable becomes an element of an array; the array's elements are live together.
void dropLifetimes(llvm::Function &F);
void mergeReturns(llvm::Function &F);
/// Each convergent operation, or run of matrix instructions or of shuffles, becomes the beginning of a block.
void isolateConvergentOps(llvm::Function &F, const WarpRuns &Runs);
/// The twin for one thread, for schedules exposing races. It is compiled as quickly as possible: the device's
/// optimiser has processed it already.
llvm::Function *copyForOneThread(Lowering &L, Kernel &K);

} // namespace gpuprof::cpu
#endif
