#include "ir/CountPlan.h"

#include "common/Compat.h"
#include "ir/DeviceHalf.h"
#include "ir/CostTable.h"
#include "ir/Counters.h"
#include "ir/Expansions.h"
#include "ir/Groups.h"
#include "ir/Uniform.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Regex.h"

#include <map>
#include <set>

using namespace llvm;

namespace gpuprof {
namespace {

bool isIgnored(const RegionPath &Path) {
  return any_of(Path,
                [](StringRef Description) { return descriptionField(Description, "kind") == "ignore"; });
}

// The description of the kernel's own pragma, or nothing.
StringRef ownRegion(const Function &Kernel) {
  for (const BasicBlock &BB : Kernel)
    for (const Instruction &I : BB) {
      const RegionPath Path = regionPath(I.getDebugLoc().get());
      if (!Path.empty() && descriptionField(Path[0], "kind") == "kernel")
        return Path[0];
    }
  return {};
}

// The regions that all of a block is in. An instruction that the optimiser moved without its location is
// taken to be where it stands: in these.
RegionPath commonPath(const BasicBlock &BB) {
  std::optional<RegionPath> Common;
  for (const Instruction &I : BB) {
    const DILocation *Location = I.getDebugLoc().get();
    if (!Location || isa<PHINode>(I))
      continue;
    const RegionPath Path = regionPath(Location);
    if (!Common)
      Common = Path;
    size_t Same = 0;
    while (Same < Common->size() && Same < Path.size() && (*Common)[Same] == Path[Same])
      ++Same;
    Common->truncate(Same);
  }
  return Common.value_or(RegionPath());
}

// Where a kernel begins: from debug information, else from its own pragma.
SourceLine kernelLine(const Function &Kernel) {
  SourceLine Where = sourceLine(Kernel.getSubprogram());
  const StringRef Own = ownRegion(Kernel);
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

// The rest is the toolkit's or the C library's.
bool isOfOtherUnit(const Function &F) {
  static const TargetLibraryInfoImpl Library{Triple("x86_64-unknown-linux-gnu")};
  LibFunc Known;
  return F.isDeclaration() && !F.isIntrinsic() && !F.isVarArg() && !findCost(CostTable::Call, F.getName()) &&
         !F.getName().starts_with("__") && !F.getName().starts_with("gpuprof.") &&
         !F.getName().starts_with("cuda") && !Library.getLibFunc(F.getName(), Known);
}

// Functions that kernels of other units may call. Those of headers are in each unit that calls them.
bool isForOtherUnits(const Function &F) {
  return !F.isDeclaration() && !compat::isKernel(F) && !F.isVarArg() && (F.hasExternalLinkage() || F.hasWeakODRLinkage()) &&
         !F.getName().starts_with("__gpuprof_");
}

class KernelPlanner {
public:
  KernelPlanner(Function &Kernel, CostSheet &Sheet, const DeviceOptions &O, bool Relocatable)
      : Sheet(Sheet), O(O), EveryBlock(O.Count == CountChoice::Blocks), Relocatable(Relocatable) {
    Plan.IsFunction = !compat::isKernel(Kernel);
    Sheet.beginKernel(Kernel.getName(), kernelLine(Kernel), Plan.IsFunction);
    Plan.InBlocks = EveryBlock;
    Plan.Instances.emplace_back();
    Plan.Instances[0].F = &Kernel;
    // Around everything in the kernel, also what has lost its location.
    Own = ownRegion(Kernel);
    if (!Own.empty())
      Plan.Instances[0].Region = Sheet.regionBelow(CostSheet::None, Own);
    Plan.Groups = 1; // the entry's
    for (size_t N = 0; N < Plan.Instances.size(); ++N)
      visit(N);
    planSteps();
    Sheet.endKernel(Plan.Groups);
    Plan.Regions = static_cast<unsigned>(Regions.size());
  }

  KernelPlan take() { return std::move(Plan); }

private:
  void visit(size_t N) {
    Function &F = *Plan.Instances[N].F;
    const int Outer = Plan.Instances[N].Region;
    const auto Counting = EveryBlock ? eachBlock(F) : countingBlocks(F);
    const Uniformity Lanes(F);
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
      const RegionPath Around = commonPath(BB);
      for (Instruction &I : *Block) {
        const DILocation *Location = I.getDebugLoc().get();
        const RegionPath Path = Location ? regionPath(Location) : Around;
        if (isIgnored(Path))
          continue;
        int Region = Outer;
        for (StringRef Description : Path)
          if (Description != Own && Description != DirectiveScope)
            Region = Sheet.regionBelow(Region, Description);
        if (Region != CostSheet::None)
          Regions.insert(Region);
        if (std::optional<ValueCall> Value = asValueCall(I)) {
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
        const InstructionCost Cost = costOf(I, &Lanes);
        if (Cost.Amounts.empty() && Cost.Why.empty())
          continue;
        const unsigned Group = GroupOf(BB);
        const SourceLine Where = sourceLine(Location, O.IsLibrary);
        for (auto [Class, Amount] : Cost.Amounts)
          Sheet.cost(Group, Region, Where, Class, Amount);
        for (auto [Class, Amount] : expansionOf(I, Cost).Amounts)
          Sheet.cost(Group, Region, Where, Class, Amount);
        if (!Cost.Why.empty())
          Sheet.uncounted(Group, Where.File.empty() ? asmPlace(I) : Where, Cost.What, Cost.Why);
      }
    }
  }

  // The reachable blocks, those that run once at most before others: so the numbers of their groups are neighbours.
  static std::vector<BasicBlock *> onceFirst(Function &F, const DenseMap<const BasicBlock *, BasicBlock *> &Counting) {
    std::vector<BasicBlock *> Once, Repeated;
    for (BasicBlock &BB : F)
      if (Counting.count(&BB))
        (mayRepeat(BB) ? Repeated : Once).push_back(&BB);
    Once.insert(Once.end(), Repeated.begin(), Repeated.end());
    return Once;
  }

  // Of inline assembly clang says where it stands, for the messages of assemblers, also without debug
  // information.
  SourceLine asmPlace(const Instruction &I) const {
    const MDNode *Places = I.getMetadata("srcloc");
    const auto *First =
        Places && O.PlaceOfAsm ? mdconst::dyn_extract<ConstantInt>(Places->getOperand(0)) : nullptr;
    SourceLine Where;
    if (First)
      std::tie(Where.File, Where.Line) = O.PlaceOfAsm(static_cast<unsigned>(First->getZExtValue()));
    return Where;
  }

  // A directive that stands in several places of one region (a loop was unrolled) has one set of counters.
  void planValue(size_t N, CallInst &Call, const ValueCall &Value, int Region) {
    FunctionInstance &Instance = Plan.Instances[N];
    if (isOfSteps(Value.Kind)) {
      if (Value.Kind == ValueKind::Step)
        Stepped.insert(Region);
      Instance.Values.push_back({&Call, Value.Kind, 0, Region});
      return;
    }
    auto [First, New] =
        ValueCounters.try_emplace({N, Value.Kind, Value.Name, Region}, Instance.Counters.size());
    if (New)
      for (StringRef Record : valueRecords(Value.Kind)) {
        Sheet.value(Plan.Groups, Region, Record, Value.Name);
        Instance.Counters.push_back({nullptr, Plan.Groups++});
      }
    Instance.Values.push_back({&Call, Value.Kind, First->second, Region});
  }

  // Each region with steps is a level, in the order of the sheet. A region that has none keeps nothing of
  // them.
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

  // A function that is recursive is one instance for all depths: its outermost call says the region.
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
  const bool EveryBlock;
  const bool Relocatable;
  KernelPlan Plan;
  StringRef Own;
  std::set<int> Stepped;
  std::set<int> Regions;
  std::map<std::tuple<size_t, ValueKind, StringRef, int>, size_t> ValueCounters;
  std::map<std::pair<Function *, int>, size_t> Known;
};

// What a kernel's own instructions and those of the functions it reaches say of regions.
void annotations(const Function &F, std::set<const Function *> &Seen, bool &Annotated, bool &Ignored,
                 bool &Plain) {
  if (!Seen.insert(&F).second)
    return;
  for (const BasicBlock &BB : F)
    for (const Instruction &I : BB) {
      const RegionPath Path = regionPath(I.getDebugLoc().get());
      const bool Ignore = isIgnored(Path);
      Annotated |= !Path.empty() && !Ignore;
      Ignored |= Ignore;
      Plain |= !Ignore && !costOf(I).Amounts.empty();
      if (const auto *Call = dyn_cast<CallBase>(&I); Call && !Ignore)
        if (const Function *Callee = Call->getCalledFunction(); Callee && !Callee->isDeclaration())
          annotations(*Callee, Seen, Annotated, Ignored, Plain);
    }
}

bool isWanted(const Function &F, const DeviceOptions &O) {
  if (F.isDeclaration() || !compat::isKernel(F))
    return false;
  if (!O.Filter.empty() && !Regex(O.Filter).match(demangle(F.getName().str())))
    return false;
  std::set<const Function *> Seen;
  bool Annotated = false, Ignored = false, Plain = false;
  annotations(F, Seen, Annotated, Ignored, Plain);
  if (Ignored && !Plain) // ignored as a whole
    return false;
  return Annotated || !O.OnlyAnnotated;
}

} // namespace

CountPlan planCounters(Module &M, const DeviceOptions &O) {
  CountPlan Plan;
  const bool Relocatable = isRelocatable(M);
  for (Function &F : M)
    if (isWanted(F, O) || (Relocatable && isForOtherUnits(F)))
      Plan.Kernels.push_back(KernelPlanner(F, Plan.Sheet, O, Relocatable).take());
  return Plan;
}

} // namespace gpuprof
