// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/LibraryFunctions.h"

#include "common/Compat.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuprof {
namespace {

// With -ffinite-math-only arguments and results are said to be neither infinite nor NaN.
bool removeFiniteMath(CallBase &Call) {
  const AttributeList Before = Call.getAttributes();
  compat::removeExcludedFloatClasses(Call);
  return Call.getAttributes() != Before;
}
bool removeFiniteMath(Function &F) {
  const AttributeList Before = F.getAttributes();
  compat::removeExcludedFloatClasses(F);
  for (const char *Name : {"no-infs-fp-math", "no-nans-fp-math", "no-signed-zeros-fp-math"})
    F.removeFnAttr(Name);
  return F.getAttributes() != Before;
}

bool makePrecise(Function &F) {
  bool Changed = removeFiniteMath(F);
  for (Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      Changed |= removeFiniteMath(*Call);
      if (Call->isInlineAsm() && Call->isConvergent()) { // as clang takes all of CUDA's: equal ones would not be joined
        Call->setNotConvergent();
        Changed = true;
      }
    }
    const auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (Call && Call->getIntrinsicID() == Intrinsic::sqrt) // sqrtf() is approximate there, as in CUDA
      continue;
    if (isa<FPMathOperator>(I) && I.getFastMathFlags().any()) {
      I.copyFastMathFlags(FastMathFlags()); // setting them would add
      Changed = true;
    }
  }
  return Changed;
}

} // namespace

// The header's functions are inline ones. NVIDIA's library is linked into the module, and keeps its attributes as on a GPU.
bool makeLibraryPrecise(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    if (F.hasLinkOnceODRLinkage() && (F.getName().starts_with("__nv_") || F.getName().starts_with("gpuprof_")))
      Changed |= makePrecise(F);
  return Changed;
}

} // namespace gpuprof
