// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entries/InlineBodies.h"
#include "module/AssignmentIds.h"
#include "module/Lowering.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// The calls of a function; empty if it has any other use, or calls itself.
SmallVector<CallInst *> callsOf(Function &F) {
  SmallVector<CallInst *> Calls;
  for (User *U : F.users()) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call || Call->getCalledFunction() != &F || Call->getFunction() == &F)
      return {};
    Calls.push_back(Call);
  }
  return Calls;
}
} // namespace

void inlineBodies(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    if (F.isDeclaration() || !F.hasLocalLinkage() || !F.hasFnAttribute(Attribute::AlwaysInline))
      continue;
    for (CallInst *Call : callsOf(F)) {
      Function &Entry = *Call->getFunction();
      InlineFunctionInfo Info;
      InlineFunction(*Call, Info, /*MergeAttributes=*/true);
      renewAssignmentIds(Entry); // LLVM does so only where the module says that it tracks assignments
    }
    if (F.use_empty())
      F.eraseFromParent();
  }
}
} // namespace gpuprof::cpu
