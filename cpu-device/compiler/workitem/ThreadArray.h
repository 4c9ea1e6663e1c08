// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of one element a thread, for values live across parallel regions.
#ifndef GPUPROF_WORKITEM_THREADARRAY_H
#define GPUPROF_WORKITEM_THREADARRAY_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace gpuprof::cpu {

/// Threads of the largest block.
constexpr unsigned MostThreads = 1024;
/// Elements before and behind those of the threads: a shuffle may read so far past the ends.
constexpr unsigned ArrayPadding = 32;
/// Address of a thread's element.
llvm::Value *elementOf(llvm::IRBuilder<> &B, llvm::AllocaInst *Array, llvm::Value *Index);

} // namespace gpuprof::cpu
#endif
