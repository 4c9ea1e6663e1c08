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

class Instrumenter {
public:
  Instrumenter(StringRef Suffix, function_ref<bool(const Function &)> IsAdded, function_ref<void(Function &, Value &)> Insert)
      : Suffix(Suffix), IsAdded(IsAdded), Insert(Insert) {}

  void addKernel(const CountedKernel &Of) {
    Function &Kernel = *Of.Kernel, &Twin = instrumented(*Of.Counted, Of.TakesCounters ? &*std::prev(Of.Counted->arg_end()) : nullptr);
    Twin.setName(Kernel.getName() + Suffix);
    copyAnnotations(*Of.Counted, Twin, KernelRuns::InPlace); // without bounds that it lost
    boundRegisters(Twin); // its work is not timed: spilled registers do no harm
  }

private:
  // The last parameter is the address of the table; functions called by it get it, too. Its counters are the bound ones.
  Function &instrumented(Function &F, const Argument *Counters = nullptr) {
    if (auto Known = Twins.find(&F); Known != Twins.end())
      return *Known->second;
    ValueToValueMapTy Map;
    if (Counters)
      Map[Counters] = ConstantInt::get(Counters->getType(), 0);
    Function &Twin = createInstrumentedKernel(F, Suffix, Map, KernelRuns::InPlace);
    Twins[&F] = &Twin;
    Value &Table = *std::prev(Twin.arg_end());
    for (Instruction &I : make_early_inc_range(instructions(Twin)))
      if (auto *Call = dyn_cast<CallInst>(&I))
        redirect(*Call, Table);
    Insert(Twin, Table);
    return Twin;
  }

  void redirect(CallInst &Call, Value &Table) {
    Function *Callee = Call.getCalledFunction();
    if (!Callee || Callee->isDeclaration() || IsAdded(*Callee))
      return;
    SmallVector<Value *, 8> Arguments(Call.args());
    Arguments.push_back(&Table);
    Function &Twin = instrumented(*Callee);
    Twin.setLinkage(GlobalValue::InternalLinkage); // it takes as many registers as its kernel leaves
    CallInst *New = IRBuilder<>(&Call).CreateCall(&Twin, Arguments);
    New->setCallingConv(Call.getCallingConv());
    New->setAttributes(Call.getAttributes());
    New->removeFnAttr(Attribute::Memory);
    Call.replaceAllUsesWith(New);
    Call.eraseFromParent();
  }

  StringRef Suffix;
  function_ref<bool(const Function &)> IsAdded;
  function_ref<void(Function &, Value &)> Insert;
  std::map<Function *, Function *> Twins;
};

} // namespace

void addKernelsInPlace(const std::vector<CountedKernel> &Kernels, StringRef Suffix,
                       function_ref<bool(const Function &)> IsAdded, function_ref<void(Function &, Value &)> Insert) {
  Instrumenter Added(Suffix, IsAdded, Insert);
  for (const CountedKernel &Kernel : Kernels)
    Added.addKernel(Kernel);
}

void addMarkingKernels(const std::vector<CountedKernel> &Kernels, const SectorMarkers &Functions) {
  addKernelsInPlace(
      Kernels, GPUPROF_UNIQUE_SUFFIX, [&](const Function &F) { return Functions.isOne(&F); },
      [&](Function &Added, Value &Table) { Functions.insert(Added, Table); });
}

} // namespace gpuprof
