// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/LongBlocks.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
bool hasLongBlock(const Function &F) {
  constexpr unsigned Long = 2048; // three times the longest of kernels that gain from SLP
  for (const BasicBlock &Block : F)
    if (Block.size() > Long)
      return true;
  return false;
}
} // namespace

// The attribute is the one that both vectorisers ask for. What else it forbids, registers of floating-point
// numbers where the program has none, is of no account.
void spareLongBlocks(Module &M) {
  for (Function &F : M)
    if (hasLongBlock(F))
      F.addFnAttr(Attribute::NoImplicitFloat);
}
} // namespace gpuprof::cpu
