// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop nest over the threads of a block: z outermost, x innermost.
#ifndef GPUPROF_WORKITEM_LOOPNEST_H
#define GPUPROF_WORKITEM_LOOPNEST_H

#include "llvm/IR/IRBuilder.h"

namespace gpuprof::cpu {

/// The threads run by a nest: z, y, x. No number is 0.
struct LoopNestBounds {
  llvm::Value *Sizes[3] = {};  // of the block, i32
  llvm::Value *Counts[3] = {}; // executed ones, i32
  llvm::Value *Lowest[3] = {}; // the indices of the first of them; null: 0
  unsigned Apart = 1;          // along x, from one of them to the next
};

/// for (z) for (y) for (threads of the row) { First; body; Latch } Done
struct LoopNest {
  llvm::BasicBlock *Head = nullptr;  // once a block, before the loop
  llvm::BasicBlock *First = nullptr; // the start of each iteration
  llvm::BasicBlock *Latch = nullptr; // the end of each iteration
  llvm::BasicBlock *Done = nullptr;  // once a block, after the loop
  llvm::PHINode *Counter[3] = {};    // z, y, x, from 0 on
  llvm::Value *Count[3] = {};        // their ends, i32, not 0
  llvm::Value *Turns = nullptr;      // of all threads, i64; set by the caller
  llvm::Value *Position[3] = {};     // threadIdx: z, y, x
  llvm::Value *Index = nullptr;      // the thread's number in the block, i64
  llvm::Value *Linear = nullptr;     // the same, i32
};

/// Makes the nest around a body beginning with `Body`. The caller redirects the body's exits to `Latch`. `B`
/// stands at the open end of the block to become `Head`, and at the end of `Done` afterwards.
LoopNest makeLoopNest(llvm::IRBuilder<> &B, const LoopNestBounds &Bounds, llvm::BasicBlock &Body);

} // namespace gpuprof::cpu
#endif
