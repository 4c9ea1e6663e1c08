// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/FormedBody.h"
#include "workitem/ThreadArray.h"

using namespace llvm;

namespace gpuprof::cpu {
// Arrays beginning at equal offsets in a page would share few cache lines.
constexpr unsigned ConflictPadding = 16;

AllocaInst *FormedBody::array(Type *T) const {
  IRBuilder<> B(&*Setup->begin());
  const unsigned Most = K.MaximumThreads ? K.MaximumThreads : MostThreads;
  return B.CreateAlloca(ArrayType::get(T, ArrayPadding + Most + ArrayPadding + ConflictPadding));
}

void FormedBody::bury(Instruction &I) {
  I.removeFromParent();
  I.dropAllReferences();
  Dead.push_back(&I);
}
} // namespace gpuprof::cpu
