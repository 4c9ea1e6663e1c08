#include "ir/DeviceHalf.h"

#include "common/Compat.h"
#include "cpu/CpuDevice.h"
#include "ir/Costs.h"
#include "ir/CountPlan.h"
#include "ir/Counters.h"
#include "ir/Expansions.h"
#include "ir/Groups.h"
#include "ir/Regions.h"
#include "ir/Steps.h"
#include "ir/UniqueCopies.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprof {
namespace {

/// The last step: plan, then strip what carried the regions, then insert.
class CountPass : public PassInfoMixin<CountPass> {
public:
  explicit CountPass(DeviceOptions O) : Options(std::move(O)) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &Analyses) {
    splitAtSteps(M);
    splitAtThreadExits(M);
    if (Options.Requests && Options.ForCpu)
      M.getOrInsertNamedMetadata(RequestsWanted);
    CountPlan Plan = planCounters(M, Options);
    const bool Copies = Options.Unique && !Options.ForCpu;
    const std::vector<Function *> Marked = Copies ? tagGlobalAccesses(Plan) : std::vector<Function *>();
    stripRegions(M);
    CloneMaker Clones(M, Analyses, Options.Count, Options.ForCpu);
    const std::vector<CountWay> Ways = insertCounters(M, Plan, Options.ForCpu, Clones);
    if (Options.Remarks)
      for (auto [Index, Kernel] : enumerate(Plan.Kernels)) {
        remark(Kernel, Ways[Index]);
        for (const std::string &Uncounted : Plan.Sheet.uncountedOf(Index))
          remark(Kernel.kernel(),
                 "kernel " + demangle(Kernel.kernel().getName().str()) + " has uncounted work, " + Uncounted);
      }
    if (Copies)
      addUniqueCopies(M, Marked);
    return PreservedAnalyses::none();
  }

  static bool isRequired() { return true; } // at -O0 too

private:
  void remark(const KernelPlan &Plan, const CountWay &Way) const {
    Function &Kernel = Plan.kernel();
    std::string Text;
    raw_string_ostream Stream(Text);
    Stream << (Plan.IsFunction ? "function " : "kernel ") << demangle(Kernel.getName().str()) << " is counted by " << Plan.Groups
           << (Plan.Groups == 1 ? " counter, " : " counters, ") << Plan.Regions
           << (Plan.Regions == 1 ? " region" : " regions");
    if (Way.How != CountWay::InKernel)
      Stream << ", in a clone with " << Way.Instructions
             << (Way.Instructions == 1 ? " instruction" : " instructions") << " of its own, "
             << (Way.How == CountWay::Free ? "once for each configuration" : "at each launch");
    else if (!Way.Why.empty())
      Stream << ", in the kernel, since " << Way.Why;
    Stream.flush();
    remark(Kernel, Text);
  }

  void remark(Function &Kernel, StringRef Text) const {
    if (Options.Remark)
      return Options.Remark(Kernel, Text);
    Kernel.getContext().diagnose(OptimizationRemark("gpuprof", "Counted",
                                                    DiagnosticLocation(Kernel.getSubprogram()),
                                                    &Kernel.getEntryBlock())
                                 << Text);
  }

  DeviceOptions Options;
};

// "cpu;annotated;remarks;unique;filter=REGEX;count=WORD"
bool parseParameters(StringRef Text, DeviceOptions &O) {
  while (!Text.empty()) {
    auto [Word, Rest] = Text.split(';');
    if (Word == "cpu")
      O.ForCpu = true;
    else if (Word == "annotated")
      O.OnlyAnnotated = true;
    else if (Word == "unique")
      O.Unique = true;
    else if (Word == "remarks")
      O.Remarks = true;
    else if (Word.consume_front("filter="))
      O.Filter = Word.str();
    else if (Word.consume_front("count=") && countChoice(Word))
      O.Count = *countChoice(Word);
    else
      return false;
    Text = Rest;
  }
  return true;
}

bool addByName(StringRef Name, ModulePassManager &Passes) {
  if (Name == "gpuprof-regions")
    Passes.addPass(RegionsPass());
  else if (Name == "print<gpuprof-regions>")
    Passes.addPass(RegionsPrinterPass(outs()));
  else if (Name == "print<gpuprof-costs>")
    Passes.addPass(CostsPrinterPass(outs()));
  else if (Name == "print<gpuprof-expansions>")
    Passes.addPass(ExpansionsPrinterPass(outs()));
  else if (Name == "print<gpuprof-intrinsics>")
    Passes.addPass(IntrinsicsPrinterPass(outs()));
  else if (Name.consume_front("gpuprof-count")) {
    DeviceOptions O;
    if (Name.consume_front("<") && !Name.consume_back(">"))
      return false;
    if (!parseParameters(Name, O))
      return false;
    Passes.addPass(CountPass(O));
  } else
    return false;
  return true;
}

} // namespace

void addDevicePasses(PassBuilder &PB, const DeviceOptions &O) {
  compat::atPipelineStart(
      PB, [](ModulePassManager &Passes, OptimizationLevel) { Passes.addPass(RegionsPass()); });
  compat::atOptimizerLast(
      PB, [O](ModulePassManager &Passes, OptimizationLevel) { Passes.addPass(CountPass(O)); });
}

void registerDevicePasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &Passes, ArrayRef<PassBuilder::PipelineElement>) {
        return addByName(Name, Passes);
      });
}

} // namespace gpuprof
