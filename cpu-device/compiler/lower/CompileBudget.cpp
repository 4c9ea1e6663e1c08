// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compile-time budget of a file's kernels. Work-item loops are three to six times the code of a thread,
// and the host's optimiser and code generator process them. A file of a hundred template kernels took fifteen
// times as long as its host half. Kernels are therefore converted in source order until the instruction
// budget is spent. Counts are the same in any case.
#include "lower/CompileBudget.h"
#include "module/Lowering.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// MostInLoops: instructions of threads behind the device's optimiser. MostOptimised: instructions of
// functions ahead of the host's optimiser. Enough for twenty kernels of medium size.
constexpr uint64_t MostInLoops = 12000, MostOptimised = 24000;

// Takes an amount from the budget, if enough is left.
bool take(uint64_t &Taken, uint64_t Size, uint64_t Most) {
  const bool Fits = Taken + Size <= Most;
  Taken += Fits ? Size : 0;
  return Fits;
}

// Promotes variables to registers and folds constants. The code generator then sees values with few uses and
// translates them one by one.
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
      << " is compiled quickly, to run slowly on the CPU device: the file's kernels are many or large; "
         "-fplugin-arg-gpuprof-budget=off optimises all";
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
