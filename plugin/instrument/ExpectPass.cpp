// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/ExpectPass.h"

#include "common/Compat.h"
#include "common/UnitDescriptor.h"
#include "gpuprof/abi.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprof {
namespace {

// Functions possibly run by threads of a kernel: called, or with their address in reachable code or memory.
class ReachedByKernels {
public:
  explicit ReachedByKernels(Module &M) {
    const bool Relocatable = isRelocatable(M);
    for (Function &F : M)
      if (!F.isDeclaration() && (compat::isKernel(F) || (Relocatable && F.hasExternalLinkage())))
        add(F);
    while (!Waiting.empty()) {
      const Function *F = Waiting.pop_back_val();
      for (const Instruction &I : instructions(*F))
        for (const Value *Operand : I.operands())
          add(*Operand);
    }
  }

  bool contains(const Function &F) const { return Seen.count(&F); }

private:
  void add(const Value &V) {
    const auto *C = dyn_cast<Constant>(&V);
    if (!C || !Seen.insert(C).second)
      return;
    if (const auto *F = dyn_cast<Function>(C))
      Waiting.push_back(F);
    else
      for (const Value *Operand : C->operands())
        add(*Operand);
  }

  SmallPtrSet<const Constant *, 32> Seen;
  SmallVector<const Function *, 16> Waiting;
};

unsigned locationOf(const CallInst &Call) {
  const MDNode *Places = Call.getMetadata("srcloc");
  const auto *First = Places ? mdconst::dyn_extract<ConstantInt>(Places->getOperand(0)) : nullptr;
  return First ? static_cast<unsigned>(First->getZExtValue()) : 0;
}

} // namespace

PreservedAnalyses ExpectPass::run(Module &M, ModuleAnalysisManager &) {
  Function *Marker = M.getFunction(GPUPROF_MARK_DEVICE_EXPECT);
  if (!Marker)
    return PreservedAnalyses::all();
  const ReachedByKernels Reached(M);
  for (User *U : make_early_inc_range(Marker->users())) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call)
      continue;
    if (Reached.contains(*Call->getFunction())) {
      if (Refuse)
        Refuse(locationOf(*Call));
      else
        M.getContext().emitError(Call, "'#pragma gpuprof expect' in device code");
    }
    Call->replaceAllUsesWith(PoisonValue::get(Call->getType()));
    Call->eraseFromParent();
  }
  if (Marker->use_empty())
    Marker->eraseFromParent();
  return PreservedAnalyses::none();
}

} // namespace gpuprof
