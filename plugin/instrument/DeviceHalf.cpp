// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/DeviceHalf.h"

#include "analysis/CountPlan.h"
#include "analysis/Groups.h"
#include "analysis/LaneSharing.h"
#include "analysis/LoadFreedom.h"
#include "clones/AddressClones.h"
#include "clones/MarkingKernels.h"
#include "clones/SectorMarkers.h"
#include "clones/WarpAccesses.h"
#include "common/Compat.h"
#include "common/ModuleMetadata.h"
#include "costs/Contractions.h"
#include "costs/CostPrinters.h"
#include "costs/Costs.h"
#include "costs/Expansions.h"
#include "directives/ConditionalCosts.h"
#include "directives/CountedStatements.h"
#include "directives/Regions.h"
#include "gpuprof/abi.h"
#include "instrument/Allocators.h"
#include "instrument/ClusterSizes.h"
#include "instrument/Counters.h"
#include "instrument/ExpectPass.h"
#include "instrument/LibraryFunctions.h"
#include "instrument/PointerCalls.h"
#include "instrument/TimeSteps.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprof {
namespace {

// Erases the directive calls of costs that the plan does not count: those of ignored regions and of no kernel.
void eraseUnplannedCosts(Module &M, const CountPlan &Plan) {
  std::set<const Instruction *> Planned;
  for (const KernelPlan &Kernel : Plan.Kernels)
    for (const FunctionInstance &Instance : Kernel.Instances)
      for (const CountedValue &Value : Instance.Values)
        Planned.insert(Value.Call);
  eraseDirectiveCalls(M, [&](const CallInst &Call) {
    const std::optional<DirectiveCall> Value = asDirectiveCall(Call);
    return Value && Value->Kind == DirectiveKind::Cost && !Planned.count(&Call);
  });
}

// The first line of the caller's own: CUDA's header has functions between.
DebugLoc outermost(DebugLoc Where) {
  while (Where && Where->getInlinedAt())
    Where = DebugLoc(Where->getInlinedAt());
  return Where;
}

// Launches from kernels are calls of CUDA's device runtime. nvcc links it into every program, clang into none: a link by
// nvlink ends in the names of its functions.
void warnOfLaunches(Module &M) {
  static const char Text[] =
      "launches from kernels (dynamic parallelism) are not counted; the link needs CUDA's device runtime: "
      "-Xoffload-linker CUDA/lib64/libcudadevrt.a, with the toolkit's folder for CUDA";
  for (const Function &F : M)
    for (const User *User : F.users())
      if (const auto *Call = dyn_cast<CallInst>(User);
          Call && F.getName().starts_with("__cudaCDP2LaunchDevice"))
        return M.getContext().diagnose(DiagnosticInfoUnsupported(*Call->getFunction(), Text,
                                                                 outermost(Call->getDebugLoc()), DS_Warning));
}

/// The last step: plan, then strip the carriers of regions, then insert.
class CountPass : public PassInfoMixin<CountPass> {
public:
  explicit CountPass(DeviceOptions O, StringRef Level = "") : Options(std::move(O)), Level(Level) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &Analyses) {
    if (!Options.ForCpu)
      warnOfLaunches(M);
    splitAtTimeSteps(M);
    splitAtThreadExits(M);
    addDirectCalls(M);
    if (Options.Requests && Options.ForCpu)
      M.getOrInsertNamedMetadata(RequestsWanted);
    addConditionalCosts(M, wantsUnique());
    auto *const Loads = Options.ForCpu ? nullptr : &Analyses.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    CountPlan Plan = planCounters(M, Options, Loads);
    eraseUnplannedCosts(M, Plan);
    if (Options.Build)
      Plan.Sheet.build("optimization=" + Level + "\t" + Options.Build());
    const std::vector<size_t> Marked = tagKernels(Plan);
    const WarpCounter Counter = Options.Check ? WarpCounter::link(M, Options.ForCpu) : WarpCounter();
    const std::vector<size_t> Checked = Counter ? tagForCheck(Plan, Loads) : std::vector<size_t>();
    stripRegions(M);
    const SectorMarkers Functions = Marked.empty() ? SectorMarkers() : SectorMarkers::link(M, Options.ForCpu);
    const std::vector<AddressWay> Addresses = addAddressClones(M, Analyses, Plan, Marked, Functions);
    CloneMaker Clones(M, Analyses, Options);
    const std::vector<CountWay> Ways = insertCounters(M, Plan, Options.ForCpu, Clones);
    restoreUncountedStatements(M);
    removeUncountedDirectCalls(M);
    if (Options.Remarks)
      for (auto [Index, Kernel] : enumerate(Plan.Kernels)) {
        remark(Kernel, Ways[Index], Addresses[Index]);
        for (const std::string &Uncounted : Plan.Sheet.uncountedOf(Index))
          remark(Kernel.kernel(),
                 "kernel " + demangle(Kernel.kernel().getName().str()) + " has uncounted work, " + Uncounted);
      }
    addCopies(M, Plan, Ways, Marked, Functions);
    addWarpCopies(M, withCounters(Plan, Ways, Checked), Counter);
    return PreservedAnalyses::none();
  }

  static bool isRequired() { return true; } // at -O0 too

private:
  /* ---- Unique bytes ---- */

  bool wantsUnique() const {
    return Options.Unique != UniqueChoice::Off;
  }

  // Tags accesses while they are distinguishable from those of counters. Returns the kernels with all
  // accesses markable.
  std::vector<size_t> tagKernels(const CountPlan &Plan) const {
    std::vector<size_t> Marked;
    if (wantsUnique())
      for (auto [Index, Kernel] : enumerate(Plan.Kernels))
        if (!Kernel.IsFunction && all_of(Kernel.Instances, [](const FunctionInstance &I) { return tagGlobalAccesses(*I.F); }))
          Marked.push_back(Index);
    return Marked;
  }

  AddressChoice addressChoice() const {
    switch (Options.Unique) {
    case UniqueChoice::On:
      return AddressChoice::FreeAndLight;
    case UniqueChoice::Auto:
      return Options.ForCpu ? AddressChoice::Formulas : AddressChoice::Free;
    default:
      return AddressChoice::Formulas;
    }
  }

  static void addToSheet(CostSheet &Sheet, size_t Index, const AddressWay &Way) {
    Sheet.marks(Index, "addresses", Way.facts());
    if (!Way.Formula.empty())
      Sheet.marks(Index, "address_formula", (Way.HasClone ? "clone\t" : "alone\t") + Way.Formula);
    for (const PointersApart &Pair : Way.Apart)
      Sheet.marks(Index, "addresses_apart",
                  (Twine(Pair.Read.Parameter) + ":" + Twine(Pair.Read.Offset) + "\t" + Twine(Pair.Written.Parameter) + ":" +
                   Twine(Pair.Written.Offset)).str());
  }

  std::vector<AddressWay> addAddressClones(Module &M, ModuleAnalysisManager &Analyses, CountPlan &Plan,
                                           ArrayRef<size_t> Marked, const SectorMarkers &Functions) const {
    std::vector<AddressWay> Ways(Plan.Kernels.size());
    for (AddressWay &Way : Ways)
      Way.Why = "it reaches global memory by inline assembly, past the registers, or in other files";
    if (!Functions)
      return Ways;
    auto &Inner = Analyses.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    for (size_t Index : Marked) {
      Ways[Index] = makeAddressClone(Plan.Kernels[Index], Functions, Inner, addressChoice());
      if (Ways[Index].How != AddressWay::None)
        addToSheet(Plan.Sheet, Index, Ways[Index]);
      if (Options.Unique == UniqueChoice::On)
        Plan.Sheet.marks(Index, "unique", std::to_string(Plan.Kernels[Index].kernel().arg_size()));
    }
    return Ways;
  }

  // The functions with the kernels' counters: kernels run in place of these have them too.
  static std::vector<CountedKernel> withCounters(const CountPlan &Plan, ArrayRef<CountWay> Ways, ArrayRef<size_t> Indices) {
    std::vector<CountedKernel> Kernels;
    for (size_t Index : Indices) {
      Function &Kernel = Plan.Kernels[Index].kernel();
      Function *Twin = Ways[Index].TwinKernel;
      Kernels.push_back({&Kernel, Twin ? Twin : &Kernel, Twin && Ways[Index].CountersOffset});
    }
    return Kernels;
  }

  void addCopies(Module &M, const CountPlan &Plan, ArrayRef<CountWay> Ways, ArrayRef<size_t> Marked,
                 const SectorMarkers &Functions) const {
    if (Functions && Options.Unique == UniqueChoice::On)
      addMarkingKernels(withCounters(Plan, Ways, Marked), Functions);
    if (wantsUnique())
      removeSectorMarkers(M);
  }

  /* ---- Bytes requested together by the lanes of a warp ---- */

  // The kernels getting a counting twin for it. Functions of other units would not count theirs.
  static std::vector<size_t> tagForCheck(CountPlan &Plan, FunctionAnalysisManager *Analyses) {
    std::vector<size_t> Checked;
    for (auto [Index, Kernel] : enumerate(Plan.Kernels)) {
      if (Kernel.IsFunction)
        continue;
      for (const FunctionInstance &Instance : Kernel.Instances)
        tagWarpAccesses(*Instance.F, Analyses);
      Plan.Sheet.marks(Index, "warps", std::to_string(Kernel.kernel().arg_size()));
      Checked.push_back(Index);
    }
    return Checked;
  }

  static void addWarpCopies(Module &M, const std::vector<CountedKernel> &Kernels, const WarpCounter &Counter) {
    if (!Counter)
      return;
    addKernelsInPlace(
        Kernels, GPUPROF_WARPS_SUFFIX, [&](const Function &F) { return &F == Counter.Count; },
        [&](Function &Added, Value &Table) { Counter.insert(Added, Table); });
    removeWarpTags(M);
  }

  static std::string formulaRemark(const CountWay &Way) {
    return Way.Formula.empty() ? "" : ", by a formula with " + std::to_string(Way.FormulaSteps) + " instructions; where it cannot tell";
  }

  void remarkUnique(raw_ostream &Stream, const AddressWay &Way) const {
    if (!wantsUnique())
      return;
    Stream << "; unique bytes ";
    if (Way.How != AddressWay::None)
      Stream << (Way.HasClone ? "by an address clone, " : "computed on the host, ")
             << (Way.How == AddressWay::Free ? "once for each configuration" : "at each launch");
    else
      Stream << "by no address clone, since " << Way.Why;
  }

  /* ---- Remarks ---- */

  void remark(const KernelPlan &Plan, const CountWay &Way, const AddressWay &Addresses) const {
    Function &Kernel = Plan.kernel();
    std::string Text;
    raw_string_ostream Stream(Text);
    Stream << (Plan.IsFunction ? "function " : "kernel ") << demangle(Kernel.getName().str()) << " is counted by " << Plan.Groups
           << (Plan.Groups == 1 ? " counter, " : " counters, ") << Plan.Regions
           << (Plan.Regions == 1 ? " region" : " regions");
    if (Way.How == CountWay::Twin)
      Stream << ", in an instrumented twin" << (Way.Why.empty() ? "" : ", since ") << Way.Why;
    else if (Way.How != CountWay::InKernel)
      Stream << formulaRemark(Way) << ", in a clone with " << Way.Instructions
             << (Way.Instructions == 1 ? " instruction" : " instructions") << " of its own, "
             << (Way.How == CountWay::Free ? "once for each configuration" : "at each launch")
             << (Way.WhyNoFormula.empty() ? "" : "; it has no formula, since ") << Way.WhyNoFormula;
    else if (!Way.Why.empty())
      Stream << ", in the kernel, since " << Way.Why;
    if (Way.IsInMemory)
      Stream << "; counts are kept in memory, since registers for them would leave room for fewer warps";
    remarkUnique(Stream, Addresses);
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
  std::string Level;
};

std::string levelName(OptimizationLevel Level) {
  const bool IsForSize = Level.getSizeLevel() > 0;
  return IsForSize ? (Level.getSizeLevel() > 1 ? "Oz" : "Os") : "O" + std::to_string(Level.getSpeedupLevel());
}

// "cpu;annotated;remarks;twins;check;unique;unique=auto;filter=REGEX;count=WORD"
bool parseParameters(StringRef Text, DeviceOptions &O) {
  while (!Text.empty()) {
    auto [Word, Rest] = Text.split(';');
    if (Word == "cpu")
      O.ForCpu = true;
    else if (Word == "annotated")
      O.OnlyAnnotated = true;
    else if (Word == "check")
      O.Check = true;
    else if (Word == "unique")
      O.Unique = UniqueChoice::On;
    else if (Word.consume_front("unique=") && uniqueChoice(Word))
      O.Unique = *uniqueChoice(Word);
    else if (Word == "remarks")
      O.Remarks = true;
    else if (Word == "twins")
      O.Twins = true;
    else if (Word == "contract=all")
      O.Contract = ContractionMode::All;
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

struct AllocatorsPass : PassInfoMixin<AllocatorsPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return defineAllocators(M) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

struct ClusterSizesPass : PassInfoMixin<ClusterSizesPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return applyClusterSizes(M) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

struct LibraryFunctionsPass : PassInfoMixin<LibraryFunctionsPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return makeLibraryPrecise(M) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

// print<gpuprof-costs> and its like, possibly with "contract=all".
bool addPrinter(StringRef Name, ModulePassManager &Passes) {
  if (!Name.consume_front("print<gpuprof-") || !Name.consume_back(">"))
    return false;
  const ContractionMode Mode = Name.consume_back(";contract=all") ? ContractionMode::All : ContractionMode::Flagged;
  if (Name == "costs")
    Passes.addPass(CostsPrinterPass(outs(), Mode));
  else if (Name == "expansions")
    Passes.addPass(ExpansionsPrinterPass(outs(), Mode));
  else if (Name == "contractions")
    Passes.addPass(ContractionsPrinterPass(outs(), Mode));
  else
    return false;
  return true;
}

bool addByName(StringRef Name, ModulePassManager &Passes) {
  if (Name == "gpuprof-allocators")
    Passes.addPass(AllocatorsPass());
  else if (Name == "gpuprof-cluster-sizes")
    Passes.addPass(ClusterSizesPass());
  else if (Name == "gpuprof-library-functions")
    Passes.addPass(LibraryFunctionsPass());
  else if (Name == "gpuprof-expect")
    Passes.addPass(ExpectPass(nullptr));
  else if (Name == "gpuprof-regions")
    Passes.addPass(RegionsPass());
  else if (Name == "print<gpuprof-regions>")
    Passes.addPass(RegionsPrinterPass(outs()));
  else if (Name == "print<gpuprof-lanes>")
    Passes.addPass(LaneSharingPrinterPass(outs()));
  else if (Name == "print<gpuprof-loads>")
    Passes.addPass(LoadFreedomPrinterPass(outs()));
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
    return addPrinter(Name, Passes);
  return true;
}

} // namespace

void addDevicePasses(PassBuilder &PB, const DeviceOptions &O) {
  compat::atPipelineStart(
      PB, [O](ModulePassManager &Passes, OptimizationLevel) {
        Passes.addPass(AllocatorsPass());
        Passes.addPass(ClusterSizesPass());
        if (O.ForCpu) // on a GPU the program's code stays as clang makes it
          Passes.addPass(LibraryFunctionsPass());
        Passes.addPass(ExpectPass(O.RefuseExpect));
        Passes.addPass(RegionsPass());
      });
  compat::atOptimizerLast(
      PB, [O](ModulePassManager &Passes, OptimizationLevel Level) { Passes.addPass(CountPass(O, levelName(Level))); });
}

void registerDevicePasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &Passes, ArrayRef<PassBuilder::PipelineElement>) {
        return addByName(Name, Passes);
      });
}

} // namespace gpuprof
