// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/ThreadState.h"

using namespace llvm;

namespace gpuprof::cpu {
StateLoad stateLoad(const Instruction &I, const Argument &State) {
  const auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load)
    return {};
  if (Load->getPointerOperand() == &State)
    return {true, Field::tid_x};
  const auto *Address = dyn_cast<GetElementPtrInst>(Load->getPointerOperand());
  if (!Address || Address->getPointerOperand() != &State || Address->getNumIndices() != 2)
    return {};
  const auto *Index = dyn_cast<ConstantInt>(Address->getOperand(2));
  return Index ? StateLoad{true, static_cast<Field>(Index->getZExtValue())} : StateLoad{};
}

bool variesByThread(Field Which) {
  return Which == Field::tid_x || Which == Field::tid_y || Which == Field::tid_z || Which == Field::laneid ||
         Which == Field::warpid;
}
} // namespace gpuprof::cpu
