// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/CloseModule.h"
#include "lower/LibraryNames.h"
#include "module/Lowering.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// Defines a function only declared here: called through a pointer, it stops the launch.
void defineStop(Lowering &L, Function &F) {
  LLVMContext &C = F.getContext();
  F.setSubprogram(nullptr); // the subprogram of a declaration
  IRBuilder<> B(BasicBlock::Create(C, "entry", &F));
  B.CreateCall(L.entry("__gpuprof_cpu_unsupported"),
               {L.text(missing(F)), L.text(L.M.getSourceFileName()), B.getInt32(0)});
  if (F.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Constant::getNullValue(F.getReturnType()));
}

bool isOutside(const Function &F) {
  return F.isIntrinsic() || F.getName().starts_with("__gpuprof_cpu_") || isLibm(F.getName());
}
} // namespace

// Host and device both define the same inline functions. Device names must differ from host names.
Error closeModule(Lowering &L) {
  for (Function &F : make_early_inc_range(L.M)) {
    F.setComdat(nullptr);
    if (F.isDeclaration()) {
      if (F.use_empty()) {
        F.eraseFromParent();
        continue;
      }
      if (isOutside(F))
        continue;
      defineStop(L, F);
    }
    F.setDSOLocal(true);
    F.setSection("");
    if (isForOtherUnits(F)) {
      F.setLinkage(F.isInterposable() ? GlobalValue::WeakAnyLinkage : GlobalValue::ExternalLinkage);
      F.setVisibility(GlobalValue::HiddenVisibility);
      continue;
    }
    F.setLinkage(GlobalValue::InternalLinkage);
    F.setVisibility(GlobalValue::DefaultVisibility);
    F.setName(F.getName() + ".cpu");
  }
  const bool Relocatable = isRelocatable(L.M);
  for (GlobalVariable &V : make_early_inc_range(L.M.globals())) {
    V.setComdat(nullptr);
    if (V.hasExternalWeakLinkage()) { // threadIdx and its kind: clang's headers only declare them
      V.replaceAllUsesWith(Constant::getNullValue(V.getType()));
      V.eraseFromParent();
      continue;
    }
    if (V.isDeclaration()) {
      if (V.getName().starts_with("__gpuprof_cpu_") || V.use_empty())
        continue;
      if (Relocatable) { // defined in another unit and found by the linker
        V.setName(V.getName() + ".cpu");
        V.setVisibility(GlobalValue::HiddenVisibility);
        continue;
      }
      return createStringError(inconvertibleErrorCode(),
                               "device variable '%s' is only declared in this file: the CPU device needs its "
                               "definition here, or -fgpu-rdc and a file that has it",
                               V.getName().str().c_str());
    }
    V.setVisibility(GlobalValue::DefaultVisibility);
    V.setDSOLocal(true);
    V.setSection("");
  }
  return Error::success();
}
} // namespace gpuprof::cpu
