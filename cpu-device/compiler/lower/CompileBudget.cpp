// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much a file's kernels may cost the compiler. Loops over threads are three to six times the code of a
// thread, and that goes through the host's optimiser and code generator: a file of a hundred kernels, as
// templates make them, took fifteen times as long as its host half. So kernels get what makes them fast in
// the order of the file, as long as all that have it are not too much together. Counts are the same in any
// case.
#include "lower/CompileBudget.h"
#include "lower/Lowering.h"
#include "workitem/WorkItemLoops.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// Instructions of threads, as the device's optimiser left them, and of functions before the host's optimiser:
// twenty kernels of middle size.
constexpr uint64_t MostInLoops = 12000, MostOptimised = 24000;

// Is there room for one more? Then it is taken.
bool take(uint64_t &Taken, uint64_t Size, uint64_t Most) {
  const bool Fits = Taken + Size <= Most;
  Taken += Fits ? Size : 0;
  return Fits;
}

// Variables to registers, and what folds then. The code generator sees values of a few uses, which it can
// translate one by one.
class Simplifier {
public:
  Simplifier() {
    PassBuilder Builder;
    Builder.registerModuleAnalyses(Modules);
    Builder.registerCGSCCAnalyses(Sccs);
    Builder.registerFunctionAnalyses(Functions);
    Builder.registerLoopAnalyses(Loops);
    Builder.crossRegisterProxies(Loops, Functions, Sccs, Modules);
    cantFail(Builder.parsePassPipeline(Passes, "sroa<modify-cfg>,early-cse<memssa>,simplifycfg"));
  }
  void run(Function &F) { Passes.run(F, Functions); }

private:
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Sccs;
  ModuleAnalysisManager Modules;
  FunctionPassManager Passes;
};

void tell(Function &F) {
  StringRef Name = F.getName();
  if (!Name.consume_back(".block"))
    return;
  OptimizationRemarkMissed Remark("gpuprof", "Quickly", DebugLoc(), &F.getEntryBlock());
  Remark
      << "kernel " << demangle(Name.str())
      << " is compiled quickly, to run slowly on the CPU device: the file's kernels are many or large; -O3 "
         "optimises all";
  OptimizationRemarkEmitter(&F).emit(Remark);
}
} // namespace

void limitLoops(Lowering &L) {
  uint64_t Taken = 0;
  for (const Kernel &K : L.Kernels)
    if (!take(Taken, K.Body->getInstructionCount(), MostInLoops))
      K.Body->addFnAttr(LeftToStacks);
}

void limitOptimising(Module &M) {
  uint64_t Taken = 0;
  std::unique_ptr<Simplifier> Simple;
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasFnAttribute(Attribute::OptimizeNone) ||
        take(Taken, F.getInstructionCount(), MostOptimised))
      continue;
    if (!Simple)
      Simple = std::make_unique<Simplifier>();
    tell(F);
    Simple->run(F);
    F.removeFnAttr(Attribute::AlwaysInline);
    F.addFnAttr(Attribute::NoInline);
    F.addFnAttr(Attribute::OptimizeNone);
  }
}
} // namespace gpuprof::cpu
