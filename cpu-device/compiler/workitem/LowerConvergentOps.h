// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers a convergent operation to code between two work-item loops.
#ifndef GPUPROF_WORKITEM_LOWERCONVERGENTOPS_H
#define GPUPROF_WORKITEM_LOWERCONVERGENTOPS_H

#include "module/Lowering.h"
#include "workitem/LoopNest.h"
#include <functional>

namespace gpuprof::cpu {

/// The context of one convergent operation.
struct ConvergentSite {
  Lowering &L;
  const LoopNest &Loop;
  llvm::Value *Threads;                                      // of the block, i32
  llvm::Value *Mask;                                         // i8 a thread: takes part; null: all do
  llvm::Value *Alive;                                        // i8 a thread: has not returned; null: all
  bool Returned;                                             // absent threads have returned
  llvm::Constant *Place;                                     // of the operation, for messages
  std::function<llvm::AllocaInst *(llvm::Value *)> Elements; // array of a value's elements; null: uniform
  std::function<llvm::AllocaInst *(llvm::Type *)> NewArray;  // one element a thread
  std::function<llvm::Value *(llvm::Value *)> Here;          // a value of the running thread
};
/// Computes the operation's result for the running thread; null: it has none. The caller removes the call.
llvm::Value *lowerConvergentOp(const ConvergentSite &Site, llvm::CallInst &I);

} // namespace gpuprof::cpu
#endif
