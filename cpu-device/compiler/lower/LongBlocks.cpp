// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/LongBlocks.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
bool hasLongBlock(const Function &F) {
  constexpr unsigned Long = 2048; // three times the longest block of kernels gaining from SLP
  for (const BasicBlock &Block : F)
    if (Block.size() > Long)
      return true;
  return false;
}
} // namespace

// The attribute is respected by both vectorisers. It also forbids floating-point registers in code without
// floating-point numbers; this is harmless.
void spareLongBlocks(Module &M) {
  for (Function &F : M)
    if (hasLongBlock(F))
      F.addFnAttr(Attribute::NoImplicitFloat);
}
} // namespace gpuprof::cpu
