// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lanes of a block's threads, from a table. The numbers of threads address elements: LLVM keeps them in 64 bits, and
// computes with them in vectors of half as many threads.
#ifndef GPUPROF_WORKITEM_LANETABLE_H
#define GPUPROF_WORKITEM_LANETABLE_H

#include "module/Lowering.h"
#include "workitem/LoopNest.h"

namespace gpuprof::cpu {

/// The number of a thread, i64 and less than MostThreads, modulo 32: i32.
llvm::Value *laneFromTable(Lowering &L, llvm::IRBuilder<> &B, llvm::Value *Thread);
/// Reads `threadIdx.x % 32` from the table in loops without loops of the threads' own. These the lane vectorizer takes.
void readLanesFromTable(Lowering &L, llvm::Function &Body, llvm::ArrayRef<LoopNest> Loops);

} // namespace gpuprof::cpu
#endif
