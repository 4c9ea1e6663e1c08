// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ArchiveMembers.h"

#include "module/Lowering.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprof::cpu {

void nameFunctionsForArchives(Module &M) {
  auto *Pointer = PointerType::get(M.getContext(), 0);
  for (Function &F : M) {
    if (F.isDeclaration() || !isForOtherUnits(F))
      continue;
    const bool IsCopy = F.isInterposable();
    auto *Variable = new GlobalVariable(
        M, Pointer, /*isConstant=*/false, IsCopy ? GlobalValue::CommonLinkage : GlobalValue::ExternalLinkage,
        IsCopy ? static_cast<Constant *>(ConstantPointerNull::get(Pointer)) : &F, F.getName() + ".defined");
    Variable->setVisibility(GlobalValue::HiddenVisibility);
    Variable->setAlignment(Align(8));
  }
}

} // namespace gpuprof::cpu
