// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/MarkingKernels.h"

#include "analysis/CountPlan.h"
#include "clones/InstrumentedKernels.h"
#include "clones/SectorMarkers.h"
#include "gpuprof/abi.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <map>

using namespace llvm;

namespace gpuprof {
namespace {

class Copier {
public:
  Copier(StringRef Suffix, function_ref<bool(const Function &)> IsAdded, function_ref<void(Function &, Value &)> Insert)
      : Suffix(Suffix), IsAdded(IsAdded), Insert(Insert) {}

  void copyKernel(Function &Kernel) {
    Function &Copy = copyOf(Kernel);
    copyAnnotations(Kernel, Copy, KernelRuns::InPlace);
    boundRegisters(Copy); // its work is not timed: spilled registers do no harm
  }

private:
  // The last parameter is the address of the table; functions called by it get it, too.
  Function &copyOf(Function &F) {
    if (auto Known = Copies.find(&F); Known != Copies.end())
      return *Known->second;
    ValueToValueMapTy Map;
    Function &Copy = createInstrumentedKernel(F, Suffix, Map, KernelRuns::InPlace);
    Copies[&F] = &Copy;
    Value &Table = *std::prev(Copy.arg_end());
    for (Instruction &I : make_early_inc_range(instructions(Copy)))
      if (auto *Call = dyn_cast<CallInst>(&I))
        redirect(*Call, Table);
    Insert(Copy, Table);
    return Copy;
  }

  void redirect(CallInst &Call, Value &Table) {
    Function *Callee = Call.getCalledFunction();
    if (!Callee || Callee->isDeclaration() || IsAdded(*Callee))
      return;
    SmallVector<Value *, 8> Arguments(Call.args());
    Arguments.push_back(&Table);
    CallInst *New = IRBuilder<>(&Call).CreateCall(&copyOf(*Callee), Arguments);
    New->setCallingConv(Call.getCallingConv());
    New->setAttributes(Call.getAttributes());
    New->removeFnAttr(Attribute::Memory);
    Call.replaceAllUsesWith(New);
    Call.eraseFromParent();
  }

  StringRef Suffix;
  function_ref<bool(const Function &)> IsAdded;
  function_ref<void(Function &, Value &)> Insert;
  std::map<Function *, Function *> Copies;
};

} // namespace

void addKernelsInPlace(const std::vector<Function *> &Kernels, StringRef Suffix,
                      function_ref<bool(const Function &)> IsAdded, function_ref<void(Function &, Value &)> Insert) {
  Copier Copies(Suffix, IsAdded, Insert);
  for (Function *Kernel : Kernels)
    Copies.copyKernel(*Kernel);
}

void addMarkingKernels(const std::vector<Function *> &Kernels, const SectorMarkers &Functions) {
  addKernelsInPlace(
      Kernels, GPUPROF_UNIQUE_SUFFIX, [&](const Function &F) { return Functions.isOne(&F); },
      [&](Function &Copy, Value &Table) { Functions.insert(Copy, Table); });
}

} // namespace gpuprof
