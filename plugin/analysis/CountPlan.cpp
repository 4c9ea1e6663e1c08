// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/CountPlan.h"

#include "analysis/DeviceOptions.h"
#include "analysis/Groups.h"
#include "analysis/LaneSharing.h"
#include "analysis/LoadFreedom.h"
#include "common/Compat.h"
#include "common/UnitDescriptor.h"
#include "costs/Contractions.h"
#include "costs/Sinking.h"
#include "costs/CostTable.h"
#include "costs/Expansions.h"
#include "costs/IntegerFloor.h"
#include "costs/WarpUniformity.h"
#include "directives/ConditionalCosts.h"
#include "directives/DeclaredRegions.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Regex.h"

#include <map>
#include <set>
#include <unordered_map>

using namespace llvm;

namespace gpuprof {
namespace {

struct Place {
  RegionPath Path;
  bool IsIgnored = false;
};

bool isIgnored(const RegionPath &Path) {
  return any_of(Path,
                [](StringRef Description) { return descriptionField(Description, "kind") == "ignore"; });
}

// Costs nothing, but ptxas may execute something for it: a sign that no user takes by a modifier, a statement
// with conditional costs alone, or the place of values that may be computed there.
bool isMachineCodeAlone(const Instruction &I, const Contractions &Selection, const Foldings &Folded,
                        const Sinking &Sunk) {
  return !expansionOf(I, InstructionCost(), Selection, Folded, Sunk).Amounts.empty();
}

// The regions in a module's locations. Each location is read once: without debug information there are few.
class Places {
public:
  const Place &at(const DILocation *Location) {
    auto [Slot, New] = Known.try_emplace(Location);
    if (New) {
      Slot->second.Path = regionPath(Location);
      Slot->second.IsIgnored = isIgnored(Slot->second.Path);
    }
    return Slot->second;
  }

private:
  std::unordered_map<const DILocation *, Place> Known;
};

// The description of the kernel's own pragma, or nothing.
StringRef ownRegion(const Function &Kernel, Places &Where) {
  for (const BasicBlock &BB : Kernel)
    for (const Instruction &I : BB) {
      const RegionPath &Path = Where.at(I.getDebugLoc().get()).Path;
      if (!Path.empty() && descriptionField(Path[0], "kind") == "kernel")
        return Path[0];
    }
  return {};
}

// The regions common to all of a block. An instruction moved by the optimiser without its location is assumed
// to be in these.
RegionPath commonPath(const BasicBlock &BB, Places &Where) {
  std::optional<RegionPath> Common;
  const DILocation *Last = nullptr;
  for (const Instruction &I : BB) {
    const DILocation *Location = I.getDebugLoc().get();
    if (!Location || Location == Last || isa<PHINode>(I))
      continue;
    Last = Location;
    const RegionPath &Path = Where.at(Location).Path;
    if (!Common)
      Common = Path;
    size_t Same = 0;
    while (Same < Common->size() && Same < Path.size() && (*Common)[Same] == Path[Same])
      ++Same;
    Common->truncate(Same);
  }
  return Common.value_or(RegionPath());
}

// The line of a kernel's beginning: from debug information, or else from its own pragma.
SourceLine kernelLine(const Function &Kernel, StringRef Own) {
  SourceLine Where = sourceLine(Kernel.getSubprogram());
  if (!Where.File.empty() || Own.empty())
    return Where;
  Where.File = descriptionField(Own, "file").str();
  descriptionField(Own, "line").getAsInteger(10, Where.Line);
  return Where;
}

// Every reachable block counts for itself.
DenseMap<const BasicBlock *, BasicBlock *> eachBlock(Function &F) {
  DenseMap<const BasicBlock *, BasicBlock *> Counting;
  for (BasicBlock *BB : depth_first(&F))
    Counting[BB] = BB;
  return Counting;
}

// All others belong to the toolkit or the C library.
bool isOfOtherUnit(const Function &F) {
  static const TargetLibraryInfoImpl Library{Triple("x86_64-unknown-linux-gnu")};
  LibFunc Known;
  return F.isDeclaration() && !F.isIntrinsic() && !F.isVarArg() && !findCost(CostTable::Call, F.getName()) &&
         !F.getName().starts_with("__") && !F.getName().starts_with("gpuprof.") &&
         !F.getName().starts_with("cuda") && !Library.getLibFunc(F.getName(), Known);
}

// Functions callable by kernels of other units. Functions of headers are in each unit calling them.
bool isForOtherUnits(const Function &F) {
  return !F.isDeclaration() && !compat::isKernel(F) && !F.isVarArg() && (F.hasExternalLinkage() || F.hasWeakODRLinkage()) &&
         !F.getName().starts_with("__gpuprof_");
}

// Solving the relations of a larger function would cost more compile time than the counters saved.
constexpr size_t LargestWithRelations = 1000;

class KernelPlanner {
public:
  KernelPlanner(Function &Kernel, CostSheet &Sheet, const DeviceOptions &O, Places &Locations, bool Relocatable,
                FunctionAnalysisManager *Analyses)
      : Sheet(Sheet), O(O), Locations(Locations), Analyses(Analyses), EveryBlock(O.Count == CountChoice::Blocks),
        Relocatable(Relocatable) {
    Plan.IsFunction = !compat::isKernel(Kernel);
    Own = ownRegion(Kernel, Locations);
    Sheet.beginKernel(Kernel.getName(), kernelLine(Kernel, Own), Plan.IsFunction);
    Plan.InBlocks = EveryBlock;
    Plan.Instances.emplace_back();
    Plan.Instances[0].F = &Kernel;
    // Around everything in the kernel, including instructions without a location.
    if (!Own.empty())
      Plan.Instances[0].Region = Sheet.regionBelow(CostSheet::None, Own);
    Plan.Groups = 1; // the entry's
    for (size_t N = 0; N < Plan.Instances.size(); ++N)
      visit(N);
    planSteps();
    planEmptyRegions(Kernel);
    Sheet.endKernel(Plan.Groups);
    Plan.Regions = static_cast<unsigned>(Regions.size());
  }

  KernelPlan take() { return std::move(Plan); }

private:
  void visit(size_t N) {
    Function &F = *Plan.Instances[N].F;
    const int Outer = Plan.Instances[N].Region;
    const auto Counting = EveryBlock ? eachBlock(F) : countingBlocks(F);
    const WarpUniformity Lanes(F);
    const LaneSharing Sharing(F, Lanes);
    const Contractions Selection(F, O.Contract);
    const Foldings Folded(F, Selection);
    const Sinking Sunk(F, Selection);
    const LoadFreedom Loads(F, Sharing, Analyses);
    DenseMap<const BasicBlock *, unsigned> Groups;
    auto GroupOf = [&](const BasicBlock &BB) {
      BasicBlock *Counter = Counting.lookup(&BB);
      auto [Slot, New] = Groups.try_emplace(Counter, Plan.Groups);
      if (New) {
        ++Plan.Groups;
        Plan.Instances[N].Counters.push_back({Counter, Slot->second});
      }
      return Slot->second;
    };
    if (N == 0) {
      Groups[&F.getEntryBlock()] = 0;
      Plan.Instances[N].Counters.push_back({&F.getEntryBlock(), 0});
    }
    for (BasicBlock *Block : onceFirst(F, Counting)) {
      const BasicBlock &BB = *Block;
      const RegionPath Around = commonPath(BB, Locations);
      const bool IsAroundIgnored = isIgnored(Around);
      for (Instruction &I : *Block) {
        const DILocation *Location = I.getDebugLoc().get();
        const Place *At = Location ? &Locations.at(Location) : nullptr;
        if (At ? At->IsIgnored : IsAroundIgnored)
          continue;
        int Region = Outer;
        for (StringRef Description : At ? At->Path : Around)
          if (Description != Own && Description != DirectiveScope)
            Region = Sheet.regionBelow(Region, Description);
        if (Region != CostSheet::None)
          Regions.insert(Region);
        if (std::optional<DirectiveCall> Value = asDirectiveCall(I)) {
          if (Value->Kind == DirectiveKind::Cost)
            planCost(N, cast<CallInst>(I), *Value, Region);
          else if (!needsNoCounter(cast<CallInst>(I), *Value))
            planValue(N, cast<CallInst>(I), *Value, Region);
          continue;
        }
        if (isDirectiveOnly(I))
          continue;
        auto *Call = dyn_cast<CallInst>(&I);
        if (Function *Callee = Call ? Call->getCalledFunction() : nullptr) {
          if (!Callee->isDeclaration()) {
            const size_t Target = instance(*Callee, Region, N);
            Plan.Instances[N].Calls.push_back({Call, Target});
            continue;
          }
          if (Relocatable && isOfOtherUnit(*Callee)) {
            Plan.Instances[N].OtherCalls.push_back({Call, Sheet.call(Region, Callee->getName())});
            continue;
          }
        }
        const InstructionCost Cost = costOf(I, &Lanes, &Selection);
        if (Cost.Amounts.empty())
          noteFree(I, Region, Cost);
        const InstructionCost Loaded = Loads.of(I);
        if (Cost.Amounts.empty() && Cost.Why.empty() && Loaded.Amounts.empty() && !isMachineCodeAlone(I, Selection, Folded, Sunk))
          continue;
        const unsigned Group = GroupOf(BB);
        const SourceLine Where = sourceLine(Location, O.IsLibrary);
        for (auto [Class, Amount] : Cost.Amounts)
          Sheet.cost(Group, Region, Where, Class, Amount);
        for (const InstructionCost &Machine : {expansionOf(I, Cost, Selection, Folded, Sunk), Sharing.of(I, Cost),
                                              integerFloorOf(I, Lanes), Loaded})
          for (auto [Class, Amount] : Machine.Amounts)
            Sheet.cost(Group, Region, Where, Class, Amount);
        if (!Cost.Why.empty())
          Sheet.uncounted(Group, Where.File.empty() ? asmPlace(I) : Where, Cost.What, Cost.Why);
      }
    }
    if (!EveryBlock && F.size() <= LargestWithRelations)
      Plan.Instances[N].Relations = flowRelations(F, Counting, Groups);
  }

  // The reachable blocks, those running at most once first: the numbers of their groups are then neighbours.
  static std::vector<BasicBlock *> onceFirst(Function &F, const DenseMap<const BasicBlock *, BasicBlock *> &Counting) {
    std::vector<BasicBlock *> Once, Repeated;
    for (BasicBlock &BB : F)
      if (Counting.count(&BB))
        (mayRepeat(BB) ? Repeated : Once).push_back(&BB);
    Once.insert(Once.end(), Repeated.begin(), Repeated.end());
    return Once;
  }

  // clang gives the location of inline assembly, for messages of assemblers, even without debug information.
  SourceLine asmPlace(const Instruction &I) const {
    const MDNode *Places = I.getMetadata("srcloc");
    const auto *First =
        Places && O.PlaceOfAsm ? mdconst::dyn_extract<ConstantInt>(Places->getOperand(0)) : nullptr;
    SourceLine Where;
    if (First)
      std::tie(Where.File, Where.Line) = O.PlaceOfAsm(static_cast<unsigned>(First->getZExtValue()));
    return Where;
  }

  // A directive at several places of one region (a loop was unrolled) has one set of counters.
  void planValue(size_t N, CallInst &Call, const DirectiveCall &Value, int Region) {
    FunctionInstance &Instance = Plan.Instances[N];
    if (isOfSteps(Value.Kind)) {
      if (Value.Kind == DirectiveKind::Step)
        Stepped.insert(Region);
      Instance.Values.push_back({&Call, Value.Kind, 0, Region});
      return;
    }
    auto [First, New] =
        ValueCounters.try_emplace({N, Value.Kind, Value.Name, Region}, Instance.Counters.size());
    if (New)
      for (StringRef Record : directiveRecords(Value.Kind)) {
        Sheet.value(Plan.Groups, Region, Record, Value.Name);
        Instance.Counters.push_back({nullptr, Plan.Groups++});
      }
    Instance.Values.push_back({&Call, Value.Kind, First->second, Region});
  }

  // All costs of one line have one counter: loops around asynchronous copies are unrolled.
  void planCost(size_t N, CallInst &Call, const DirectiveCall &Value, int Region) {
    FunctionInstance &Instance = Plan.Instances[N];
    const SourceLine Where = sourceLine(Call.getDebugLoc().get(), O.IsLibrary);
    auto [First, New] = CostCounters.try_emplace({N, Value.Name, Region, Where.File, Where.Line}, Instance.Counters.size());
    if (New) {
      for (auto [Class, Amount] : conditionalCost(Value.Name).Amounts)
        Sheet.cost(Plan.Groups, Region, Where, Class, Amount);
      Instance.Counters.push_back({nullptr, Plan.Groups++});
    }
    Instance.Values.push_back({&Call, Value.Kind, First->second, Region});
  }

  // Each region with steps is a level, in the order of the sheet. A region without one has no data of steps.
  void planSteps() {
    Plan.Levels = static_cast<unsigned>(Stepped.size());
    for (int Region : Stepped)
      Sheet.steps(Region);
    for (FunctionInstance &Instance : Plan.Instances) {
      erase_if(Instance.Values,
               [&](const CountedValue &V) { return isOfSteps(V.Kind) && !Stepped.count(V.Region); });
      for (CountedValue &V : Instance.Values)
        if (isOfSteps(V.Kind)) {
          V.First = std::distance(Stepped.begin(), Stepped.find(V.Region));
          Instance.SwitchesSteps = true;
        }
    }
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (FunctionInstance &Instance : Plan.Instances)
        for (auto [Call, Target] : Instance.Calls)
          if (Plan.Instances[Target].SwitchesSteps && !Instance.SwitchesSteps)
            Instance.SwitchesSteps = Changed = true;
    }
  }

  // An instruction without a cost may be all that is left of its region. A product has no cost only as part
  // of an fma; the sum has the cost.
  void noteFree(const Instruction &I, int Region, const InstructionCost &Cost) {
    if (Region == CostSheet::None || I.isTerminator() || isa<PHINode>(I))
      return;
    const Left What = !Cost.Why.empty()                    ? Left::Uncounted
                      : I.getOpcode() == Instruction::FMul ? Left::Fused
                                                           : Left::Free;
    Left &Known = Free.try_emplace(Region, What).first->second;
    Known = std::max(Known, What);
  }

  // Regions of the source without counts keep a row, and the reason.
  void planEmptyRegions(const Function &Kernel) {
    static constexpr StringLiteral Words[] = {"removed", "free", "fused", "uncounted"};
    for (const RegionPath &Path : declaredRegions(Kernel)) {
      int Region = Plan.Instances[0].Region;
      for (StringRef Description : Path)
        if (Description != Own)
          Region = Sheet.regionBelow(Region, Description);
      if (Region == CostSheet::None || Sheet.hasPart(Region))
        continue;
      Left What = Region == Plan.Instances[0].Region ? Left::Free : Left::Nothing;
      for (auto [Inner, OfInner] : Free)
        if (Sheet.isWithin(Inner, Region))
          What = std::max(What, OfInner);
      Sheet.empty(Region, Words[static_cast<unsigned>(What)]);
      Regions.insert(Region);
    }
  }

  // A recursive function is one instance for all depths: its outermost call determines the region.
  size_t instance(Function &Callee, int Region, size_t Caller) {
    for (size_t N = Caller;; N = Plan.Instances[N].Caller) {
      if (Plan.Instances[N].F == &Callee)
        return N;
      if (N == 0)
        break;
    }
    auto [Slot, New] = Known.try_emplace({&Callee, Region}, Plan.Instances.size());
    if (New) {
      FunctionInstance Instance;
      Instance.F = &Callee;
      Instance.Region = Region;
      Instance.Caller = Caller;
      Plan.Instances.push_back(std::move(Instance));
    }
    return Slot->second;
  }

  CostSheet &Sheet;
  const DeviceOptions &O;
  Places &Locations;
  FunctionAnalysisManager *Analyses;
  const bool EveryBlock;
  const bool Relocatable;
  KernelPlan Plan;
  StringRef Own;
  std::set<int> Stepped;
  std::set<int> Regions;
  // The remaining code of a region without counts; of several kinds the last.
  enum class Left { Nothing, Free, Fused, Uncounted };
  std::map<int, Left> Free;
  std::map<std::tuple<size_t, DirectiveKind, StringRef, int>, size_t> ValueCounters;
  std::map<std::tuple<size_t, StringRef, int, std::string, unsigned>, size_t> CostCounters;
  std::map<std::pair<Function *, int>, size_t> Known;
};

// The regions around a kernel's own instructions and those of functions reached by it.
class Annotations {
public:
  Annotations(const Function &Kernel, Places &Locations) : Locations(Locations) { visit(Kernel); }
  bool HasRegions = false, HasIgnored = false, HasPlain = false;

private:
  void visit(const Function &F) {
    if (!Seen.insert(&F).second)
      return;
    const bool IsLocated = any_of(instructions(F), [](const Instruction &I) { return bool(I.getDebugLoc()); });
    for (const Instruction &I : instructions(F)) {
      const Place &At = Locations.at(I.getDebugLoc().get());
      HasIgnored |= At.IsIgnored;
      if (At.IsIgnored)
        continue;
      HasRegions |= !At.Path.empty();
      // Among located instructions, one without a location was made by the optimiser: it is no code of the source.
      const std::optional<DirectiveCall> Value = asDirectiveCall(I);
      if (!IsLocated || I.getDebugLoc())
        HasPlain = HasPlain || !costOf(I).Amounts.empty() || (Value && Value->Kind == DirectiveKind::Cost);
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = Call->getCalledFunction(); Callee && !Callee->isDeclaration())
          visit(*Callee);
    }
  }

  Places &Locations;
  std::set<const Function *> Seen;
};

bool isWanted(const Function &F, const DeviceOptions &O, Places &Locations) {
  if (F.isDeclaration() || !compat::isKernel(F))
    return false;
  if (!O.Filter.empty() && !Regex(O.Filter).match(demangle(F.getName().str())))
    return false;
  Annotations Says(F, Locations);
  Says.HasRegions |= declaresRegions(F);
  if (Says.HasIgnored && !Says.HasPlain) // ignored as a whole
    return false;
  return Says.HasRegions || !O.OnlyAnnotated;
}

} // namespace

// Every counter and directive has a group of the kernel's, and every call leads to an instance.
[[maybe_unused]] static bool isComplete(const KernelPlan &Plan) {
  return !Plan.Instances.empty() && all_of(Plan.Instances, [&](const FunctionInstance &I) {
    return I.F && all_of(I.Counters, [&](const auto &Counter) { return Counter.second < Plan.Groups; }) &&
           all_of(I.Calls, [&](const auto &Call) { return Call.second < Plan.Instances.size(); });
  });
}

CountPlan planCounters(Module &M, const DeviceOptions &O, FunctionAnalysisManager *Analyses) {
  CountPlan Plan;
  Places Locations;
  const bool Relocatable = isRelocatable(M);
  for (Function &F : M)
    if (isWanted(F, O, Locations) || (Relocatable && isForOtherUnits(F)))
      Plan.Kernels.push_back(KernelPlanner(F, Plan.Sheet, O, Locations, Relocatable, Analyses).take());
  assert(all_of(Plan.Kernels, isComplete) && "a plan that names what it does not have");
  eraseDeclaredRegions(M);
  return Plan;
}

} // namespace gpuprof
