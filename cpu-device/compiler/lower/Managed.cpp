// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/Managed.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
constexpr const char *Suffix = ".managed"; // clang's suffix for HIP

// One entry of llvm.global.annotations: the annotated variable, if the text matches.
GlobalVariable *annotated(const Value *Entry, StringRef Text) {
  const auto *Fields = dyn_cast<ConstantStruct>(Entry);
  if (!Fields || Fields->getNumOperands() < 2)
    return nullptr;
  const auto *String = dyn_cast<GlobalVariable>(Fields->getOperand(1)->stripPointerCasts());
  const auto *Letters = String && String->hasInitializer()
                            ? dyn_cast<ConstantDataSequential>(String->getInitializer())
                            : nullptr;
  if (!Letters || !Letters->isCString() || Letters->getAsCString() != Text)
    return nullptr;
  return dyn_cast<GlobalVariable>(Fields->getOperand(0)->stripPointerCasts());
}
} // namespace

SmallVector<std::string> nameManaged(Module &Device) {
  SmallVector<std::string> Names;
  GlobalVariable *List = Device.getGlobalVariable("llvm.global.annotations", true);
  if (!List)
    return Names;
  if (List->hasInitializer())
    for (const Use &Entry : List->getInitializer()->operands())
      if (GlobalVariable *V = annotated(Entry.get(), "gpuprof.managed")) {
        Names.push_back(V->getName().str());
        V->setName(V->getName() + Suffix);
      }
  List->eraseFromParent(); // the host's module has its own
  return Names;
}

void joinManaged(Module &Host, ArrayRef<std::string> Names) {
  for (const std::string &Name : Names) {
    GlobalVariable *Shadow = Host.getGlobalVariable(Name, true);
    GlobalVariable *Variable = Host.getGlobalVariable(Name + Suffix + ".cpu", true);
    if (!Shadow || !Variable || Shadow->getValueType() != Variable->getValueType())
      continue;
    Shadow->setInitializer(Variable->getInitializer());
    Shadow->setConstant(false);
    Shadow->setExternallyInitialized(false);
    Shadow->setAlignment(std::max(Shadow->getAlign().valueOrOne(), Variable->getAlign().valueOrOne()));
    Variable->replaceAllUsesWith(ConstantExpr::getPointerBitCastOrAddrSpaceCast(Shadow, Variable->getType()));
    Variable->eraseFromParent();
  }
}
} // namespace gpuprof::cpu
