// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/ThreadArray.h"

using namespace llvm;

namespace gpuprof::cpu {
Value *elementOf(IRBuilder<> &B, AllocaInst *Array, Value *Index) {
  Index = B.CreateAdd(B.CreateZExt(Index, B.getInt64Ty()), B.getInt64(ArrayPadding), "", true, true);
  return B.CreateInBoundsGEP(Array->getAllocatedType(), Array, {B.getInt64(0), Index});
}
} // namespace gpuprof::cpu
