// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/Allocators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprof {
namespace {
struct Operator {
  const char *Name;  // as C++ mangles it on targets of 64 bits
  const char *Calls; // with the first argument
};
constexpr Operator Operators[] = {
    {"_Znwm", "malloc"}, {"_Znam", "malloc"}, {"_ZdlPv", "free"},
    {"_ZdaPv", "free"},  {"_ZdlPvm", "free"}, {"_ZdaPvm", "free"},
};
} // namespace

bool defineAllocators(Module &M) {
  bool Any = false;
  for (const Operator &O : Operators) {
    Function *F = M.getFunction(O.Name);
    if (!F || !F->isDeclaration() || F->use_empty() || F->arg_empty())
      continue;
    FunctionCallee Callee = M.getOrInsertFunction(O.Calls, F->getReturnType(), F->getArg(0)->getType());
    F->setLinkage(GlobalValue::LinkOnceAnyLinkage); // another unit may have its own
    F->setSubprogram(nullptr);
    IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
    Value *Result = B.CreateCall(Callee, {F->getArg(0)});
    if (F->getReturnType()->isVoidTy())
      B.CreateRetVoid();
    else
      B.CreateRet(Result);
    Any = true;
  }
  return Any;
}
} // namespace gpuprof
