// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/GridOrder.h"

#include "analysis/Groups.h"
#include "common/Architecture.h"
#include "common/Compat.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprof {
namespace {

constexpr unsigned FirstWithOrder = 90;
constexpr StringRef Control = "griddepcontrol";

bool isControl(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  if (!Call)
    return false;
  if (const auto *Assembly = dyn_cast<InlineAsm>(Call->getCalledOperand()))
    return StringRef(compat::asmText(*Assembly)).contains(Control);
  const Function *Callee = Call->getCalledFunction();
  return Callee && Callee->isIntrinsic() && Callee->getName().contains(Control);
}

} // namespace

bool ordersGrids(const Module &M) {
  return any_of(M, [](const Function &F) { return any_of(instructions(F), isControl); });
}

bool waitForGridBefore(Function &Kernel) {
  if (architectureOf(Kernel) < FirstWithOrder)
    return false;
  auto *Type = FunctionType::get(llvm::Type::getVoidTy(Kernel.getContext()), false);
  auto *Wait = InlineAsm::get(Type, (Control + ".wait;").str(), "~{memory}", /*hasSideEffects=*/true);
  for (Instruction *Exit : exitsOf(Kernel)) {
    IRBuilder<> Builder(Exit);
    Builder.CreateCall(Wait)->addFnAttr(Attribute::NoUnwind);
  }
  return true;
}

} // namespace gpuprof
