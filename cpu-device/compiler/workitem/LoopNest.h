// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop nest over the threads of a block: z outermost, x innermost.
#ifndef GPUPROF_WORKITEM_LOOPNEST_H
#define GPUPROF_WORKITEM_LOOPNEST_H

#include "llvm/IR/IRBuilder.h"

namespace gpuprof::cpu {

/// The threads that a nest runs. None of the sizes is 0.
struct LoopNestBounds {
  llvm::Value *Sizes[3] = {};     // of the block: z, y, x; i32
  llvm::Value *Count = nullptr;   // threads of each row that run, i32
  llvm::Value *LowestX = nullptr; // threadIdx.x of the first of them; null: 0
};

/// for (z) for (y) for (threads of the row) { First; body; Latch } Done
struct LoopNest {
  llvm::BasicBlock *Head = nullptr;  // once a block, before the loop
  llvm::BasicBlock *First = nullptr; // the start of each iteration
  llvm::BasicBlock *Latch = nullptr; // the end of each iteration
  llvm::BasicBlock *Done = nullptr;  // once a block, after the loop
  llvm::PHINode *Counter[3] = {};    // z, y, and from 0 on for those of a row
  llvm::Value *Count = nullptr;      // of a row, i32, not 0
  llvm::Value *Turns = nullptr;      // of all threads, i64; set by the caller
  llvm::Value *X = nullptr;          // threadIdx.x
  llvm::Value *Index = nullptr;      // the thread's number in the block, i64
  llvm::Value *Linear = nullptr;     // the same, i32
};

/// Makes the nest around a body that begins with `Body`; its exits have yet to be sent to `Latch`. `B` stands
/// at the open end of the block that becomes `Head`, and at the end of `Done` afterwards.
LoopNest makeLoopNest(llvm::IRBuilder<> &B, const LoopNestBounds &Bounds, llvm::BasicBlock &Body);

} // namespace gpuprof::cpu
#endif
