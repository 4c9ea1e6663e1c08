// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a convergent operation becomes between two loops over threads.
#ifndef GPUPROF_WORKITEM_LOWERCONVERGENTOPS_H
#define GPUPROF_WORKITEM_LOWERCONVERGENTOPS_H

#include "lower/Lowering.h"
#include "workitem/LoopNest.h"
#include <functional>

namespace gpuprof::cpu {

/// The context of one convergent operation.
struct ConvergentSite {
  Lowering &L;
  const LoopNest &Loop;
  llvm::Value *Threads;  // of the block, i32
  llvm::Value *Mask;     // address of i8 a thread: does it take part? Null: all do
  llvm::Value *Alive;    // the same: has it not returned? Null: all
  bool Returned;         // threads that do not take part have returned
  llvm::Constant *Place; // for messages
  std::function<llvm::AllocaInst *(llvm::Value *)>
      Elements;                                             // a value of all threads; null: all have the same
  std::function<llvm::AllocaInst *(llvm::Type *)> NewArray; // an element a thread
  std::function<llvm::Value *(llvm::Value *)> Here;         // a value of the running thread
};
/// Computes the operation's result for the running thread; null: it has none. The caller removes the call.
llvm::Value *lowerConvergentOp(const ConvergentSite &Site, llvm::CallInst &I);

} // namespace gpuprof::cpu
#endif
