// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop nest over the threads of a block: z outermost, x innermost.
#ifndef GPUPROF_WORKITEM_LOOPNEST_H
#define GPUPROF_WORKITEM_LOOPNEST_H

#include "llvm/IR/IRBuilder.h"

namespace gpuprof::cpu {

/// The threads run by a nest. No size is 0.
struct LoopNestBounds {
  llvm::Value *Sizes[3] = {};     // of the block: z, y, x; i32
  llvm::Value *Count = nullptr;   // executed threads of each row, i32
  llvm::Value *LowestX = nullptr; // threadIdx.x of the first of them; null: 0
  unsigned Apart = 1;             // from one of them to the next; needs LowestX
};

/// for (z) for (y) for (threads of the row) { First; body; Latch } Done
struct LoopNest {
  llvm::BasicBlock *Head = nullptr;  // once a block, before the loop
  llvm::BasicBlock *First = nullptr; // the start of each iteration
  llvm::BasicBlock *Latch = nullptr; // the end of each iteration
  llvm::BasicBlock *Done = nullptr;  // once a block, after the loop
  llvm::PHINode *Counter[3] = {};    // z, y, and the thread's number in its row from 0 on
  llvm::Value *Count = nullptr;      // of a row, i32, not 0
  llvm::Value *Turns = nullptr;      // of all threads, i64; set by the caller
  llvm::Value *X = nullptr;          // threadIdx.x
  llvm::Value *Index = nullptr;      // the thread's number in the block, i64
  llvm::Value *Linear = nullptr;     // the same, i32
};

/// Makes the nest around a body beginning with `Body`. The caller redirects the body's exits to `Latch`. `B`
/// stands at the open end of the block to become `Head`, and at the end of `Done` afterwards.
LoopNest makeLoopNest(llvm::IRBuilder<> &B, const LoopNestBounds &Bounds, llvm::BasicBlock &Body);

} // namespace gpuprof::cpu
#endif
