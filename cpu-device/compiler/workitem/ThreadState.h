// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads from the thread's state: thread and block indices, sizes, lane and warp.
#ifndef GPUPROF_WORKITEM_THREADSTATE_H
#define GPUPROF_WORKITEM_THREADSTATE_H

#include "module/Lowering.h"
#include "llvm/IR/Instructions.h"

namespace gpuprof::cpu {

/// The field read by a load. Is: false for any other instruction.
struct StateLoad {
  bool Is = false;
  Field Which = Field::tid_x;
};
StateLoad stateLoad(const llvm::Instruction &I, const llvm::Argument &State);
/// Does the field vary within a block?
bool variesByThread(Field Which);

} // namespace gpuprof::cpu
#endif
