// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop over the threads of a block that runs one parallel region.
#ifndef GPUPROF_WORKITEM_LOOPNEST_H
#define GPUPROF_WORKITEM_LOOPNEST_H

#include "llvm/IR/Instructions.h"

namespace gpuprof::cpu {

/// for (z) for (y) for (threads of the row) { the region }
struct LoopNest {
  llvm::BasicBlock *Head = nullptr;  // once a block, before the loop
  llvm::BasicBlock *First = nullptr; // the start of each iteration
  llvm::BasicBlock *Latch = nullptr; // the end of each iteration
  llvm::BasicBlock *Done = nullptr;  // once a block, after the loop
  llvm::PHINode *Counter[3] = {};    // z, y, and from 0 on for those of a row
  llvm::Value *Count = nullptr;      // of a row, i32, not 0
  llvm::Value *Turns = nullptr;      // of all threads, i64
  llvm::Value *X = nullptr;          // threadIdx.x
  llvm::Value *Index = nullptr;      // the thread's number in the block, i64
  llvm::Value *Linear = nullptr;     // the same, i32
};

} // namespace gpuprof::cpu
#endif
