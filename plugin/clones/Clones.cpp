// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/Clones.h"

#include "analysis/CountPlan.h"
#include "analysis/Groups.h"
#include "clones/CloneCalls.h"
#include "clones/Formula.h"
#include "clones/InstrumentedKernels.h"
#include "common/Compat.h"
#include "gpuprof/abi.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuprof {
namespace {

constexpr unsigned GlobalSpace = 1;

// A clone reading memory runs at each launch: it is chosen only if it is this much cheaper than the kernel.
constexpr uint64_t LeastGain = 4;

/* ---- The plan of an added kernel ---- */

// A clone is short and seldom runs: ptxas's optimisations suffice, and the passes of LLVM's code generator
// would take longer than everything else about it.
void leaveToAssembler(Function &Clone) {
  if (Clone.hasFnAttribute(Attribute::OptimizeForSize) || Clone.hasFnAttribute(Attribute::MinSize))
    return; // these exclude each other
  Clone.addFnAttr(Attribute::NoInline);
  Clone.addFnAttr(Attribute::OptimizeNone);
}

// The functions called by the kernel stay unchanged.
KernelPlan planFor(Function &Added, const KernelPlan &Plan, ValueToValueMapTy &Map) {
  KernelPlan Mapped = Plan;
  FunctionInstance &Instance = Mapped.Instances[0];
  Instance.F = &Added;
  for (auto &[Block, Group] : Instance.Counters)
    if (Block)
      Block = cast<BasicBlock>(Map[Block]);
  for (CountedValue &Value : Instance.Values)
    Value.Call = cast<CallInst>(Map[Value.Call]);
  for (auto &[Call, Target] : Instance.Calls)
    Call = cast<CallInst>(Map[Call]);
  for (auto &[Call, Number] : Instance.OtherCalls)
    Call = cast<CallInst>(Map[Call]);
  return Mapped;
}

struct InstrumentedTwin {
  Function &Kernel;
  bool IsInMemory; // its counters
  std::optional<uint64_t> CountersOffset;
};

// Called functions know the kernel's row or array of counts, not its arguments.
bool needsCountersInCallees(const KernelPlan &Plan) {
  return Plan.Instances.size() > 1 &&
         (Plan.Levels > 0 || any_of(drop_begin(Plan.Instances), [](const FunctionInstance &Instance) {
            return !Instance.OtherCalls.empty() || any_of(instructions(*Instance.F), mayEndThread);
          }));
}

Function &copyOf(Function &Kernel, ValueToValueMapTy &Map) {
  Function &Twin = *CloneFunction(&Kernel, Map);
  Twin.setName(Kernel.getName() + GPUPROF_IN_KERNEL_SUFFIX);
  Twin.setComdat(nullptr);
  return Twin;
}

// The instrumented twin replacing the kernel in launches that no clone counts.
InstrumentedTwin addInstrumentedTwin(const KernelPlan &Plan, CloneMaker::Inserter Insert, bool MayBeRefused) {
  ValueToValueMapTy Map;
  Function &Kernel = Plan.kernel();
  const std::optional<uint64_t> CountersOffset =
      needsCountersInCallees(Plan) ? std::nullopt : offsetOfFurtherParameter(Kernel);
  Function &Twin =
      CountersOffset ? copyWithParameter(Kernel, GPUPROF_IN_KERNEL_SUFFIX, Map) : copyOf(Kernel, Map);
  copyAnnotations(Kernel, Twin, KernelRuns::InPlace);
  const bool Fits = !MayBeRefused || fitsLargestBlock(Plan);
  KernelPlan TwinPlan = planFor(Twin, Plan, Map);
  TwinPlan.TakesCounters = CountersOffset.has_value();
  const bool IsInMemory = Insert(TwinPlan);
  dropBoundsOfOthers(Twin);
  if (!Fits)
    addBoundedTwin(Twin);
  return {Twin, IsInMemory, CountersOffset};
}

// Before a kernel is added: the reason if no clone can count the kernel.
std::string refusalOfPlan(const KernelPlan &Plan) {
  if (Plan.IsFunction)
    return "kernels of other files call it";
  if (any_of(Plan.Instances, [](const FunctionInstance &Instance) { return !Instance.OtherCalls.empty(); }))
    return "it calls functions of other files";
  if (Plan.Levels > 0)
    return "it has steps";
  return refusalOf(Plan.kernel());
}

/* ---- The place of a clone's counters ---- */

// On a GPU one block stores: memory takes stores to one address one after another, 10 us for the warps of a million threads.
// Most blocks differ from it in their first index.
void storeInFirstBlock(IRBuilder<> &Builder, Value *Address, Value *Number) {
  constexpr const char *Text =
      "{\n\t.reg .pred is;\n\t.reg .b32 block, other;\n\tmov.u32 block, %ctaid.x;\n\t"
      "setp.ne.b32 is, block, 0;\n\t@is bra OTHER;\n\t"
      "mov.u32 block, %ctaid.y;\n\tmov.u32 other, %ctaid.z;\n\t"
      "or.b32 block, block, other;\n\tsetp.eq.b32 is, block, 0;\n\t"
      "@is st.global.b64 [$0], $1;\n\tOTHER:\n\t}";
  auto *Type = FunctionType::get(Builder.getVoidTy(), {Builder.getInt64Ty(), Builder.getInt64Ty()}, false);
  Builder.CreateCall(InlineAsm::get(Type, Text, "l,l", /*hasSideEffects=*/true), {Address, Number})
      ->addFnAttr(Attribute::NoUnwind);
}

// The counters are at the address in the last parameter, behind a header naming the unit. False if the code
// adding to them does not query their place in the form replaced here.
bool countAtParameter(Function &Clone, GlobalVariable &Bases, bool ForCpu) {
  Argument &Place = *std::prev(Clone.arg_end());
  IRBuilder<> Builder(&Clone.getEntryBlock(), Clone.getEntryBlock().getFirstInsertionPt());
  while (isa<AllocaInst>(*Builder.GetInsertPoint()))
    Builder.SetInsertPoint(&*std::next(Builder.GetInsertPoint()));
  Constant *Unit = ConstantExpr::getPtrToInt(ConstantExpr::getPointerCast(&Bases, Builder.getPtrTy()),
                                             Builder.getInt64Ty());
  if (ForCpu)
    Builder.CreateStore(Unit, Builder.CreateIntToPtr(&Place, Builder.getPtrTy(GlobalSpace)));
  else
    storeInFirstBlock(Builder, &Place, Unit);
  Value *Base = Builder.CreateNUWAdd(&Place, Builder.getInt64(GPUPROF_CLONE_HEADER_BYTES));
  unsigned Places = 0;
  for (Instruction &I : make_early_inc_range(instructions(Clone)))
    if (auto *Load = dyn_cast<LoadInst>(&I);
        Load && Load->getType()->isIntegerTy(64) &&
        Load->getPointerOperand()->stripInBoundsConstantOffsets() == &Bases) {
      Load->replaceAllUsesWith(Base);
      Load->eraseFromParent();
      ++Places;
    }
  return Places > 0;
}

} // namespace

// On the CPU device counters cost next to nothing.
bool CloneMaker::keepsKernels() const {
  return Choice == CountChoice::Clone || Choice == CountChoice::Formula ||
         (Choice == CountChoice::Auto && !ForCpu);
}

// Device code launches the kernel itself: a kernel with an address used there has the counters. With counters of its own a kernel
// could have too many registers for the program's blocks; in place of a twin the driver can launch another one.
bool CloneMaker::wantsTwin(const KernelPlan &Plan) const {
  const bool MayBeTooLarge = !ForCpu && mayBeRefused(Plan) && !fitsLargestBlock(Plan);
  return Twins && !Plan.IsFunction && Plan.kernel().use_empty() && (keepsKernels() || MayBeTooLarge);
}

// A twin with the most registers of all runs in smaller blocks.
bool CloneMaker::mayBeRefused(const KernelPlan &Plan) const {
  const unsigned Threads = LargestBlockOf ? LargestBlockOf(Plan.kernel().getName()) : 0;
  return Threads == 0 || Threads > BlockOfAnyRegisters;
}

CountWay CloneMaker::make(const KernelPlan &Plan, GlobalVariable &Bases, Inserter Insert) {
  PointerOrigins Stores; // before counters are in
  if (!ForCpu && !Plan.IsFunction) {
    FunctionAnalysisManager &Functions =
        Analyses.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    Stores = storesOf(Plan.kernel(), Functions.getResult<LoopAnalysis>(Plan.kernel()));
  }
  CountWay Way = choose(Plan, Bases, Insert);
  Way.Parameters = static_cast<unsigned>(Plan.kernel().arg_size());
  Way.Stores = std::move(Stores);
  return Way;
}

CountWay CloneMaker::choose(const KernelPlan &Plan, GlobalVariable &Bases, Inserter Insert) {
  CountWay Way;
  if (keepsKernels())
    Way = makeClone(Plan, Bases, Insert);
  if (Way.How != CountWay::InKernel)
    return Way;
  if (!wantsTwin(Plan)) {
    Way.IsInMemory = Insert(Plan);
    return Way;
  }
  if (!keepsKernels())
    Way.Why = "with its counters it may have too many registers for the largest block";
  const InstrumentedTwin Twin = addInstrumentedTwin(Plan, Insert, mayBeRefused(Plan));
  Way.How = CountWay::Twin;
  Way.TwinKernel = &Twin.Kernel;
  Way.IsInMemory = Twin.IsInMemory;
  Way.CountersOffset = Twin.CountersOffset;
  return Way;
}

CountWay CloneMaker::makeClone(const KernelPlan &Plan, GlobalVariable &Bases, Inserter Insert) {
  CountWay Way;
  Way.Why = refusalOfPlan(Plan);
  OwnVariables Keep;
  // Variables are kept only where control flow needs them: each attempt shows which others these need.
  for (bool IsMissingSome = Way.Why.empty(); IsMissingSome;) {
    OwnVariables Missing;
    Way = attemptClone(Plan, Bases, Insert, Keep, Missing);
    IsMissingSome = !Missing.empty();
    Keep.insert(Missing.begin(), Missing.end());
  }
  return Way;
}

CountWay CloneMaker::attemptClone(const KernelPlan &Plan, GlobalVariable &Bases, Inserter Insert,
                                  const OwnVariables &Keep, OwnVariables &Missing) {
  CountWay Way;
  Function &Kernel = Plan.kernel();
  FunctionAnalysisManager &Functions = Analyses.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  ValueToValueMapTy Map;
  Function &Clone = createInstrumentedKernel(Kernel, GPUPROF_CLONE_SUFFIX, Map, KernelRuns::Alone);
  KernelPlan ClonePlan = planFor(Clone, Plan, Map);
  ClonePlan.IsClone = true;
  Way.Why = inlineCalls(ClonePlan);
  if (!Way.Why.empty()) {
    Clone.eraseFromParent();
    return Way;
  }
  CloneSlice Slice(Clone, Functions, Keep);
  Insert(ClonePlan);
  Way.Why = countAtParameter(Clone, Bases, ForCpu) ? Slice.reduce() : "it never comes to an end";
  if (Way.Why.empty())
    Slice.simplify();
  const bool Light = Slice.readsMemory();
  if (Way.Why.empty() && Light && Choice == CountChoice::Auto &&
      LeastGain * CloneSlice::costOf(Clone, Functions) > CloneSlice::costOf(Kernel, Functions))
    Way.Why = "its control flow depends on memory that a clone would read at each launch, for not much less "
              "than the kernel";
  if (!Way.Why.empty()) {
    Missing = Slice.missing();
    Functions.clear(Clone, Clone.getName());
    Clone.eraseFromParent();
    return Way;
  }
  copyAnnotations(Kernel, Clone, KernelRuns::Alone);
  boundRegisters(Clone);
  leaveToAssembler(Clone);
  if (Light)
    Way.CountersOffset = addInstrumentedTwin(Plan, Insert, mayBeRefused(Plan)).CountersOffset;
  Way.How = Light ? CountWay::Light : CountWay::Free;
  Way.Instructions = Slice.size();
  Way.Reads = Slice.reads();
  Way.Apart = Slice.apart();
  if (Light)
    Way.Loads = Slice.loads();
  Way.Waits = Light && !ForCpu && !OrdersGrids && waitForGridBefore(Clone);
  if (Way.How == CountWay::Free && Choice != CountChoice::Clone)
    addFormula(Plan, Way, Insert);
  return Way;
}

// Made from a copy of its own: the clone adds up packed counts, by inline PTX.
void CloneMaker::addFormula(const KernelPlan &Plan, CountWay &Way, Inserter Insert) {
  FunctionAnalysisManager &Functions = Analyses.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  ValueToValueMapTy Map;
  Function &Copy = createInstrumentedKernel(Plan.kernel(), "$gpuprof_formula", Map, KernelRuns::Alone);
  KernelPlan CopyPlan = planFor(Copy, Plan, Map);
  CopyPlan.IsClone = CopyPlan.IsFormula = true;
  Way.WhyNoFormula = inlineCalls(CopyPlan);
  std::optional<CloneSlice> Slice; // outlives the copy
  if (Way.WhyNoFormula.empty()) {
    Slice.emplace(Copy, Functions);
    Insert(CopyPlan);
    Way.WhyNoFormula = Slice->reduce();
    if (Way.WhyNoFormula.empty()) {
      Slice->simplify();
      const Formula Written = formulaOf(Copy, Way.Reads);
      Way.WhyNoFormula = Written.Why;
      Way.Formula = Written.Text;
      Way.FormulaSteps = Written.Steps;
    }
  }
  Functions.clear(Copy, Copy.getName());
  Copy.eraseFromParent();
  if (Function *Counts = M.getFunction(FormulaCounts))
    Counts->eraseFromParent();
}

} // namespace gpuprof
