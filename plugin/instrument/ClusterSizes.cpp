// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/ClusterSizes.h"

#include "common/Compat.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprof {
namespace {

StringRef textOf(const Constant &Row) {
  const auto *Variable = dyn_cast<GlobalVariable>(Row.getOperand(1)->stripPointerCasts());
  const auto *Text = Variable && Variable->hasInitializer()
                         ? dyn_cast<ConstantDataArray>(Variable->getInitializer())
                         : nullptr;
  return Text && Text->isCString() ? Text->getAsCString() : StringRef();
}

// A row of llvm.global.annotations: its subject, its text, the file, the line, the arguments.
bool apply(const Constant &Row) {
  StringRef Text = textOf(Row);
  if (!Text.consume_front(ClusterSizeAnnotation))
    return false;
  if (auto *Kernel = dyn_cast<Function>(Row.getOperand(0)->stripPointerCasts()))
    compat::setClusterSize(*Kernel, Text);
  return true;
}

} // namespace

bool applyClusterSizes(Module &M) {
  GlobalVariable *List = M.getGlobalVariable("llvm.global.annotations");
  const auto *Rows =
      List && List->hasInitializer() ? dyn_cast<ConstantArray>(List->getInitializer()) : nullptr;
  if (!Rows)
    return false;
  SmallVector<Constant *> Others;
  for (const Use &Row : Rows->operands())
    if (!apply(*cast<Constant>(Row)))
      Others.push_back(cast<Constant>(Row));
  if (Others.size() == Rows->getNumOperands())
    return false;
  if (!Others.empty()) {
    auto *T = ArrayType::get(Others[0]->getType(), Others.size());
    auto *Shorter = new GlobalVariable(M, T, List->isConstant(), List->getLinkage(),
                                       ConstantArray::get(T, Others), "", List);
    Shorter->setSection(List->getSection());
    Shorter->takeName(List);
  }
  List->eraseFromParent();
  return true;
}

} // namespace gpuprof
