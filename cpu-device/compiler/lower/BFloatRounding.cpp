// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/BFloatRounding.h"
#include "module/Lowering.h"
#include "module/NumericHelpers.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace gpuprof::cpu {
void defineBFloatRounding(Lowering &L) {
  bool Used = false;
  for (Function &F : L.M)
    for (Instruction &I : instructions(F))
      Used |= I.getType()->getScalarType()->isBFloatTy();
  if (!Used)
    return;
  LLVMContext &C = L.M.getContext();
  Type *To = Type::getBFloatTy(C);
  auto *F = Function::Create(FunctionType::get(To, {Type::getFloatTy(C)}, false),
                             GlobalValue::LinkOnceODRLinkage, "__truncsfbf2", &L.M);
  F->setVisibility(GlobalValue::HiddenVisibility);
  F->setDoesNotThrow();
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  B.CreateRet(truncateToBFloat(B, F->getArg(0), To));
  appendToCompilerUsed(L.M, {F}); // the IR has no call of it
}
} // namespace gpuprof::cpu
