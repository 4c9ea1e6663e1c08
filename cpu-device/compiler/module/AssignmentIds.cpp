// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/AssignmentIds.h"

#include "common/Compat.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace gpuprof::cpu {
void renewAssignmentIds(Function &F) {
  DenseMap<DIAssignID *, DIAssignID *> Renewed;
  for (Instruction &I : instructions(F))
    compat::remapAssignId(Renewed, I);
}
} // namespace gpuprof::cpu
