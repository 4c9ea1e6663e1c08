// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/KernelCounters.h"

#include "analysis/CountPlan.h"
#include "analysis/Groups.h"
#include "clones/Formula.h"
#include "clones/InstrumentedKernels.h"
#include "common/AbiLayout.h"
#include "costs/WarpUniformity.h"
#include "instrument/ArrayElements.h"
#include "instrument/CommonReturns.h"
#include "instrument/CounterPlacement.h"
#include "instrument/CounterRegisters.h"
#include "instrument/CounterRow.h"
#include "instrument/Flush.h"
#include "instrument/GuardReturns.h"
#include "instrument/LocalCounters.h"
#include "instrument/TimeSteps.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace gpuprof {
namespace {

constexpr unsigned GlobalSpace = 1;

class KernelCounters {
public:
  KernelCounters(const KernelPlan &Plan, GlobalVariable &Bases, unsigned Index, bool ForCpu)
      : Plan(Plan), Kernel(Plan.kernel()), Bases(Bases), Index(Index), ForCpu(ForCpu) {}

  /// Returns true if counters of the kernel itself have no registers.
  bool insert() {
    std::vector<std::unique_ptr<ValueToValueMapTy>> Maps;
    for (size_t N = 0; N < Plan.Instances.size(); ++N) {
      const bool IsKernel = N == 0 && !Plan.IsFunction;
      Maps.push_back(IsKernel ? nullptr : std::make_unique<ValueToValueMapTy>());
      Functions.push_back(IsKernel ? &Kernel
                                   : instanceWithCounters(*Plan.Instances[N].F, *Maps.back(), N == 0));
    }
    const bool Fits = !ForCpu && !Plan.IsClone && !Plan.IsFunction && fitsLargestBlock(Plan);
    // The kernel comes last: the instances must not see its body changed.
    for (size_t N = Plan.Instances.size(); N-- > 0;)
      instrument(N, Maps[N].get());
    if (Fits)
      fitIntoLargestBlock(Kernel);
    return IsInMemory;
  }

private:
  // Without steps a thread has no array: called functions add to its row.
  bool addsToRow() const { return !ForCpu && Plan.Levels == 0 && !Plan.IsFormula; }

  // A function gets its kernel's row, or the address of its array, as an additional last parameter; one for other units,
  // the address of its counters.
  Function *instanceWithCounters(Function &Original, ValueToValueMapTy &Map, bool ForOthers) {
    LLVMContext &Context = Original.getContext();
    Function *Instance = ForOthers ? declareCounted(Original) : nullptr;
    if (!Instance)
      Instance =
          Function::Create(typeWith(Original, placeType(Context)), GlobalValue::InternalLinkage,
                           Original.getAddressSpace(), Original.getName() + ".gpuprof", Original.getParent());
    for (auto [From, To] : zip(Original.args(), Instance->args())) {
      To.setName(From.getName());
      Map[&From] = &To;
    }
    SmallVector<ReturnInst *, 4> Returns;
    CloneFunctionInto(Instance, &Original, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
    Instance->setLinkage(ForOthers ? Original.getLinkage() : GlobalValue::InternalLinkage);
    Instance->setVisibility(GlobalValue::DefaultVisibility);
    Instance->setComdat(nullptr);
    return Instance;
  }

  Type *placeType(LLVMContext &Context) const {
    return addsToRow() ? cast<Type>(Type::getInt64Ty(Context)) : PointerType::get(Context, 0);
  }

  static FunctionType *typeWith(const Function &F, Type *Last) {
    SmallVector<Type *, 8> Parameters(F.getFunctionType()->params());
    Parameters.push_back(Last);
    return FunctionType::get(F.getReturnType(), Parameters, F.isVarArg());
  }

  static Function *declareCounted(Function &F) {
    return Function::Create(typeWith(F, Type::getInt64Ty(F.getContext())), GlobalValue::ExternalLinkage,
                            F.getAddressSpace(), F.getName() + GPUPROF_COUNTED_SUFFIX, F.getParent());
  }

  // The function called instead of another unit's function. Its weak body serves a unit compiled without the
  // plugin.
  static Function *countedFunction(Function &F) {
    if (Function *Known = F.getParent()->getFunction((F.getName() + GPUPROF_COUNTED_SUFFIX).str()))
      return Known;
    Function *Counted = declareCounted(F);
    Counted->setLinkage(GlobalValue::WeakAnyLinkage);
    Counted->setCallingConv(F.getCallingConv());
    Counted->setAttributes(F.getAttributes());
    Counted->removeFnAttr(Attribute::Memory);
    IRBuilder<> Builder(BasicBlock::Create(F.getContext(), "", Counted));
    SmallVector<Value *, 8> Arguments;
    for (Argument &A : drop_end(Counted->args()))
      Arguments.push_back(&A);
    CallInst *Call = Builder.CreateCall(&F, Arguments);
    Call->setCallingConv(F.getCallingConv());
    Call->setAttributes(F.getAttributes());
    if (F.getReturnType()->isVoidTy())
      Builder.CreateRetVoid();
    else
      Builder.CreateRet(Call);
    return Counted;
  }

  void instrument(size_t N, ValueToValueMapTy *Map) {
    const FunctionInstance &Instance = Plan.Instances[N];
    Function &F = *Functions[N];
    // It reads and writes counters, whatever its former attributes.
    for (Attribute::AttrKind Kind : {Attribute::Memory, Attribute::Speculatable, Attribute::NoSync})
      F.removeFnAttr(Kind);
    auto Mapped = [&](auto *V) { return Map ? cast<std::remove_pointer_t<decltype(V)>>((*Map)[V]) : V; };
    if (N == 0 && addsToRow() && !Plan.IsClone && !Plan.IsFunction)
      Guards = separateGuards(F);
    const bool Ends = any_of(instructions(F), mayEndThread);
    const bool Pack = !ForCpu && !Plan.IsFormula && Plan.Levels == 0 && !Ends;
    CounterPlacement Where(F, Plan.IsFormula);
    SmallVector<CounterSite, 16> Places;
    SmallVector<uint64_t, 16> Most;
    for (auto [Block, Group] : Instance.Counters) {
      CounterSite Place;
      if (Block)
        Place = Plan.Levels > 0 || Plan.InBlocks || Ends ? Where.inside(*Mapped(Block))
                                                         : Where.outermost(*Mapped(Block));
      Places.push_back(Place);
      Most.push_back(Block ? Place.Most : 0);
    }
    for (const CountedValue &V : Instance.Values)
      addMost(Most, V, Where.inside(*Mapped(V.Call)->getParent()).Most);
    const bool IsFree = Plan.IsClone || !Pack; // of the choice
    SmallVector<const BasicBlock *, 16> Blocks;
    for (const CounterSite &Place : Places)
      Blocks.push_back(Place.Block);
    for (const CountedValue &V : Instance.Values)
      for (size_t I = 0; I < directiveRecords(V.Kind).size(); ++I)
        Blocks[V.First + I] = Mapped(V.Call)->getParent();
    auto InRegisters = [&] {
      return IsFree ? BitVector(static_cast<unsigned>(Most.size()), true)
                    : countersInRegisters(F, usesOf(F, Blocks, Most, Implied), N == 0);
    };
    if (Pack && N == 0 && !Plan.IsClone) // the loops of a clone mostly vanish
      Implied = impliedCounts(Instance.Relations, countedInLoops(F, Places));
    if (dependsOnGuards(Places))
      Implied.clear();
    BitVector Registers = InRegisters();
    if (!Registers.all() && !Implied.empty()) {
      Implied.clear();
      Registers = InRegisters();
    }
    const bool InMemory = !Registers.all() && !Most.empty();
    assert((!InMemory || addsToRow()) && "with an array all counters have registers");
    IsInMemory |= InMemory && N == 0;
    IsInner = N != 0;
    Value *Place = findPlace(F, InMemory);
    SmallVector<unsigned, 16> Groups;
    for (auto [Block, Group] : Instance.Counters)
      Groups.push_back(Group);
    LocalCounters Counters = InMemory ? LocalCounters(F, Most, Registers, row(Place), Groups, *Begin)
                                      : LocalCounters(F, Most, packing(Pack));
    for (auto [I, Place] : enumerate(Places))
      if (N == 0 && isBeforeGuard(Place))
        countBeforeGuard(*Place.Block, Groups[I]);
      else if (Place.Block && !isImplied(I))
        count(Where, Place, Counters, I);
    for (const CountedValue &V : Instance.Values)
      countValue(*Mapped(V.Call), V, Instance, Counters, Place);
    for (auto [Call, Target] : Instance.Calls) {
      CallInst &There = *Mapped(Call);
      // The counts so far belong to the present step. At a thread's end nobody else adds them.
      if (Plan.Instances[Target].SwitchesSteps || mayEndThread(There)) {
        IRBuilder<> Builder(&There);
        moveToMemory(Builder, Instance, Counters, Place);
      }
      redirect(There, *Functions[Target], argumentFor(There, Target, Place));
    }
    for (auto [Call, Number] : Instance.OtherCalls)
      callOther(*Mapped(Call), Number, Place);
    if (N)
      endFunction(F, Instance, Counters, Place);
    else
      flush(Counters, Place);
  }

  // Where the counts of this function and of called ones go: the row, i64, or the array's generic address. Null in a kernel
  // whose own counters need no row: its calls find it where they are.
  Value *findPlace(Function &F, bool InMemory) {
    Begin = &*afterVariables(F);
    if (IsInner)
      return &*std::prev(F.arg_end());
    if (!addsToRow())
      return allocateArray(F);
    IRBuilder<> Builder(Begin);
    return InMemory ? rowHere(Builder) : nullptr;
  }

  Value *rowHere(IRBuilder<> &Builder) { return rowAddress(Builder, base(Builder, nullptr), table()); }

  CounterTable table() const {
    return {Plan.IsClone ? GPUPROF_CLONE_SLOTS : GPUPROF_COUNTER_SLOTS, CostSheet::rowLength(Plan.Groups),
            Plan.IsFunction || !readsBlockRow()};
  }

  // Threads of several kernels may call a function for other units together.
  CounterRow row(Value *Address) const { return {Address, !Plan.IsFunction}; }

  static BasicBlock::iterator afterVariables(Function &F) {
    auto First = F.getEntryBlock().getFirstInsertionPt();
    while (isa<AllocaInst>(*First))
      ++First;
    return First;
  }

  // The short text of a clone's flush adds up bits one by one.
  LocalCounters::Packing packing(bool Pack) const {
    using Packing = LocalCounters::Packing;
    return !Pack ? Packing::None : Plan.IsClone ? Packing::Some : Packing::Many;
  }

  // A function for other units that calls itself, possibly by way of others, adds each call to the same counters.
  Value *argumentFor(CallInst &Call, size_t Target, Value *Place) {
    IRBuilder<> Builder(&Call);
    if (Plan.IsFunction && Target == 0)
      return base(Builder, Place);
    return Place ? Place : rowHere(Builder);
  }

  static std::vector<CounterUse> usesOf(Function &F, ArrayRef<const BasicBlock *> Blocks,
                                        ArrayRef<uint64_t> Most, ArrayRef<ImpliedCount> Implied) {
    std::vector<CounterUse> Uses = usesInBlocks(F, Blocks);
    for (auto [Use, Limit] : zip(Uses, Most))
      Use.Most = Limit;
    for (const ImpliedCount &Count : Implied)
      Uses[Count.Group] = {};
    return Uses;
  }

  // The counters that a loop adds to, those of the deepest loops first.
  static SmallVector<unsigned, 16> countedInLoops(Function &F, ArrayRef<CounterSite> Places) {
    SmallVector<const BasicBlock *, 16> Blocks;
    for (const CounterSite &Place : Places)
      Blocks.push_back(Place.Amount || Place.Most <= 1 ? nullptr : Place.Block);
    const std::vector<CounterUse> Uses = usesInBlocks(F, Blocks);
    SmallVector<unsigned, 16> Counters;
    for (unsigned I = 0; I < Places.size(); ++I)
      if (Uses[I].Depth > 0)
        Counters.push_back(I);
    llvm::sort(Counters, [&](unsigned A, unsigned B) {
      return Uses[A].Depth != Uses[B].Depth ? Uses[A].Depth > Uses[B].Depth : A < B;
    });
    return Counters;
  }

  bool isBeforeGuard(const CounterSite &Place) const {
    return !Place.Amount && Guards.Before.contains(Place.Block);
  }

  // What is counted before a guard has no value at the thread's end.
  bool dependsOnGuards(ArrayRef<CounterSite> Places) const {
    return any_of(Implied, [&](const ImpliedCount &Count) {
      return any_of(Count.Is, [&](const auto &Term) { return isBeforeGuard(Places[Term.first]); });
    });
  }

  bool isImplied(size_t Counter) const {
    return any_of(Implied, [&](const ImpliedCount &Count) { return Count.Group == Counter; });
  }

  // Sum: null for zero.
  static Value *addMultiple(IRBuilder<> &Builder, Value *Sum, Value *Count, int Factor) {
    if (Sum && Factor == -1)
      return Builder.CreateSub(Sum, Count);
    Value *Multiple =
        Factor == 1 ? Count : Builder.CreateMul(Count, ConstantInt::getSigned(Count->getType(), Factor));
    return Sum ? Builder.CreateAdd(Sum, Multiple) : Multiple;
  }

  // At a thread's end: the counts that follow from others.
  void countImplied(IRBuilder<> &Builder, LocalCounters &Counters) const {
    for (const ImpliedCount &Count : Implied) {
      Value *Sum = nullptr;
      for (bool Positive : {true, false})
        for (auto [Group, Factor] : Count.Is)
          if ((Factor > 0) == Positive)
            Sum = addMultiple(Builder, Sum, Counters.value(Builder, Group), Factor);
      Counters.add(Builder, Count.Group, Sum ? Sum : Builder.getInt64(0));
    }
  }

  // The maximum added by a directive.
  static void addMost(MutableArrayRef<uint64_t> Most, const CountedValue &V, uint64_t Executions) {
    uint64_t Amount = Unlimited;
    if (V.Kind == DirectiveKind::Spike)
      Amount = 1;
    else if ((V.Kind == DirectiveKind::Count || V.Kind == DirectiveKind::Synapse) &&
             isa<ConstantInt>(V.Call->getArgOperand(0)))
      Amount = cast<ConstantInt>(V.Call->getArgOperand(0))->getZExtValue();
    else if (V.Kind == DirectiveKind::Cost)
      Amount = computeKnownBits(V.Call->getArgOperand(0), V.Call->getModule()->getDataLayout())
                   .getMaxValue()
                   .getZExtValue();
    for (size_t I = 0; I < directiveRecords(V.Kind).size(); ++I)
      Most[V.First + I] = SaturatingAdd(Most[V.First + I], SaturatingMultiply(Amount, Executions));
  }

  static void count(CounterPlacement &Where, const CounterSite &Place, LocalCounters &Counters,
                    size_t Counter) {
    if (Value *Amount = Where.expand(Place)) {
      IRBuilder<> Builder(Place.Block->getTerminator());
      return Counters.add(Builder, Counter, Amount);
    }
    IRBuilder<> Builder(Place.Block, Place.Block->getFirstInsertionPt());
    if (Place.Block->isEntryBlock())
      Builder.SetInsertPoint(&Counters.begin());
    else if (switchesStep(*Builder.GetInsertPoint())) // the block's work belongs to the new step
      Builder.SetInsertPoint(&*std::next(Builder.GetInsertPoint()));
    Counters.add(Builder, Counter, Builder.getInt64(1));
  }

  void countBeforeGuard(BasicBlock &Block, unsigned Group) {
    if (IRBuilder<> Builder(Begin); !GuardRow) {
      EarlyBase = base(Builder, nullptr);
      GuardRow = rowAddress(Builder, EarlyBase, table());
    }
    IRBuilder<> Builder(Block.isEntryBlock() ? Begin : &*Block.getFirstInsertionPt());
    addToRow(Builder, row(GuardRow), {{Group, Builder.getInt64(1)}});
  }

  void countValue(CallInst &Call, const CountedValue &V, const FunctionInstance &Instance,
                  LocalCounters &Counters, Value *Place) {
    IRBuilder<> Builder(&Call);
    if (isOfSteps(V.Kind))
      switchStep(Call, V, Instance, Counters, Place);
    else
      for (auto [I, Amount] : enumerate(directiveAmounts(Builder, Call, V.Kind)))
        Counters.add(Builder, V.First + I, Amount);
    Call.eraseFromParent();
  }

  void switchStep(CallInst &Call, const CountedValue &V, const FunctionInstance &Instance,
                  LocalCounters &Counters, Value *Array) {
    const ThreadCounts Counts = threadCounts(Array);
    IRBuilder<> Builder(&Call);
    Type *Long = Builder.getInt64Ty();
    Value *Code = Counts.code(Builder, V.First);
    if (V.Kind == DirectiveKind::BeginOfSteps)
      return Call.replaceAllUsesWith(Builder.CreateLoad(Long, Code));
    moveToMemory(Builder, Instance, Counters, Array);
    emitTimeStepFlush(Builder, Counts, V.First, base(Builder, Array), counterSlot(Builder, ForCpu));
    copyElements(Builder, Counts.marks(Builder, V.First), Array, Plan.Groups, ForCpu);
    Value *Next = Call.getArgOperand(0);
    Builder.CreateStore(V.Kind == DirectiveKind::Step ? codeOfStep(Builder, Next) : Next, Code);
  }

  ThreadCounts threadCounts(Value *Array) const { return {Array, Plan.Groups, Plan.Levels}; }

  // The address of the counters; functions called by one for other units find it by their row or in the frame.
  Value *base(IRBuilder<> &Builder, Value *Place) {
    if (Plan.IsFunction && !IsInner)
      return &*std::prev(Functions[0]->arg_end());
    if (Plan.IsFunction && addsToRow())
      return baseOfRow(Builder, Place, table());
    if (Plan.IsFunction)
      return Builder.CreateLoad(Builder.getInt64Ty(), placeOfBase(Builder, Place));
    Value *Bound = boundBase(Builder);
    return Plan.TakesCounters ? givenOrBound(Builder, &given(), Bound)
                              : Builder.CreateLoad(Builder.getInt64Ty(), Bound);
  }

  Value *boundBase(IRBuilder<> &Builder) const {
    return Builder.CreateConstInBoundsGEP2_64(Bases.getValueType(), &Bases, 0, Index);
  }

  // The address given by the launch, or 0.
  Value &given() const {
    assert(Plan.TakesCounters && !IsInner && "a called function has not the kernel's arguments");
    return *std::prev(Functions[0]->arg_end());
  }

  // Memory is read only if the launch gives no address: it is not the kernel's own traffic.
  Value *givenOrBound(IRBuilder<> &Builder, Value *Given, Value *Bound) const {
    Type *Long = Builder.getInt64Ty();
    if (ForCpu)
      return Builder.CreateSelect(Builder.CreateICmpEQ(Given, Builder.getInt64(0)),
                                  Builder.CreateLoad(Long, Bound), Given);
    auto *Type = FunctionType::get(Long, {Long, Bound->getType()}, false);
    CallInst *Call =
        Builder.CreateCall(InlineAsm::get(Type,
                                          "{\n\t.reg .pred none;\n\tsetp.eq.b64 none, $1, 0;\n\t"
                                          "mov.b64 $0, $1;\n\t@none ld.global.b64 $0, [$2];\n\t}",
                                          "=&l,l,l", /*hasSideEffects=*/false),
                           {Given, Bound});
    Call->addFnAttr(Attribute::NoUnwind);
    return Call;
  }

  Value *placeOfBase(IRBuilder<> &Builder, Value *Array) const {
    return Builder.CreateConstInBoundsGEP1_64(Builder.getInt64Ty(), Array,
                                              ThreadCounts::elements(Plan.Groups, Plan.Levels));
  }

  // A function of another unit gets the address left for the call by the runtime.
  void callOther(CallInst &Call, unsigned Number, Value *Place) {
    IRBuilder<> Builder(&Call);
    Type *Long = Builder.getInt64Ty();
    const uint64_t Row = CostSheet::rowLength(Plan.Groups), Others = Plan.Levels ? 16 + Plan.Levels * Row : 0;
    Value *Base = base(Builder, Place), *Zero = Builder.getInt64(0);
    BasicBlock *Before = Call.getParent();
    Instruction *Then = SplitBlockAndInsertIfThen(Builder.CreateICmpNE(Base, Zero), &Call, false);
    Builder.SetInsertPoint(Then);
    Value *Entry =
        Builder.CreateAdd(Base, Builder.getInt64(8 * (GPUPROF_COUNTER_SLOTS * Row + Others + Number)));
    Value *Address = Builder.CreateLoad(Long, Builder.CreateIntToPtr(Entry, Builder.getPtrTy(GlobalSpace)));
    Builder.SetInsertPoint(&Call);
    PHINode *Counters = Builder.CreatePHI(Long, 2);
    Counters->addIncoming(Address, Then->getParent());
    Counters->addIncoming(Zero, Before);
    redirect(Call, *countedFunction(*Call.getCalledFunction()), Counters);
  }

  // Memory for the groups of called functions, indexed by group; the kernel's own are registers. With steps,
  // for all fields of ThreadCounts. Null: none is needed.
  Value *allocateArray(Function &F) {
    if (Plan.Instances.size() == 1 && Plan.Levels == 0 && Plan.Instances.front().Calls.empty())
      return nullptr;
    const uint64_t Elements = ThreadCounts::elements(Plan.Groups, Plan.Levels) + Plan.IsFunction;
    IRBuilder<> Builder(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
    AllocaInst *Array =
        Builder.CreateAlloca(ArrayType::get(Builder.getInt64Ty(), Elements), nullptr, "gpuprof.counts");
    while (isa<AllocaInst>(*Builder.GetInsertPoint()))
      Builder.SetInsertPoint(&*std::next(Builder.GetInsertPoint()));
    Array->setAlignment(ArrayAlignment);
    setToZero(Builder, Array, Elements, ForCpu, ArrayAlignment);
    if (Plan.IsFunction)
      Builder.CreateStore(&*std::prev(F.arg_end()), placeOfBase(Builder, Array));
    return Builder.CreatePointerBitCastOrAddrSpaceCast(Array, Builder.getPtrTy());
  }

  // Puts the counts into the row or the kernel's array, and restarts them at zero.
  void moveToMemory(IRBuilder<> &Builder, const FunctionInstance &Instance, LocalCounters &Counters,
                    Value *Place) {
    addToMemory(Builder, Instance, countsOf(Builder, Instance, Counters), Place ? Place : rowHere(Builder));
    Counters.reset(Builder);
  }

  static SmallVector<Value *, 16> countsOf(IRBuilder<> &Builder, const FunctionInstance &Instance,
                                           const LocalCounters &Counters) {
    SmallVector<Value *, 16> Counts;
    for (size_t I = 0; I < Instance.Counters.size(); ++I) // a zero is not added
      Counts.push_back(Counters.isInMemory(I) ? Builder.getInt64(0) : Counters.value(Builder, I));
    return Counts;
  }

  // Null: a count of zero.
  void addToMemory(IRBuilder<> &Builder, const FunctionInstance &Instance, ArrayRef<Value *> Counts,
                   Value *Place) const {
    SmallVector<RowCount, 16> Some;
    for (auto [Count, Counter] : zip(Counts, Instance.Counters))
      if (Count)
        Some.push_back({Counter.second, Count});
    if (addsToRow())
      return addToRow(Builder, row(Place), Some);
    Type *Long = Builder.getInt64Ty();
    for (const RowCount &C : Some) {
      Value *Element = Builder.CreateConstInBoundsGEP1_64(Long, Place, C.Group);
      Builder.CreateStore(Builder.CreateAdd(Builder.CreateLoad(Long, Element), C.Count), Element);
    }
  }

  static void redirect(CallInst &Call, Function &Target, Value *Array) {
    SmallVector<Value *, 8> Arguments(Call.args());
    AttributeList Attributes = Call.getAttributes();
    const unsigned Fixed = Call.getFunctionType()->getNumParams();
    Arguments.insert(Arguments.begin() + Fixed, Array);
    if (Fixed + 1 < Arguments.size()) // attributes of variadic arguments would be one off
      Attributes = AttributeList();
    SmallVector<OperandBundleDef, 1> Bundles;
    Call.getOperandBundlesAsDefs(Bundles);
    IRBuilder<> Builder(&Call);
    CallInst *New = Builder.CreateCall(&Target, Arguments, Bundles);
    New->setAttributes(Attributes.removeFnAttribute(Call.getContext(), Attribute::Memory));
    New->setCallingConv(Target.getCallingConv());
    New->copyMetadata(Call);
    New->takeName(&Call);
    Call.replaceAllUsesWith(New);
    Call.eraseFromParent();
  }

  // The counts at a thread's or path's end are held until more is known of them.
  struct PlannedFlush {
    CallInst *Holder;
    Instruction *Exit;
    SmallVector<LocalCount, 16> Counts;
  };

  // The ends of a called function: it adds what it counted to the row or to its kernel's array.
  void endFunction(Function &F, const FunctionInstance &Instance, LocalCounters &Counters, Value *Place) {
    const SmallVector<Instruction *, 4> Exits = exitsOf(F);
    FunctionCallee Hold = holder(F);
    SmallVector<PlannedFlush, 8> Held;
    for (Instruction *Exit : Exits) {
      auto *Return = dyn_cast<ReturnInst>(Exit);
      if (Return && addsToRow()) {
        for (Instruction *End : pathsToReturn(*Return, Instance.Counters.size())) {
          IRBuilder<> Builder(End);
          SmallVector<Value *, 16> Values = countsOf(Builder, Instance, Counters);
          Held.push_back({nullptr, End, Counters.loadForFlush(Builder)});
          for (const LocalCount &C : Held.back().Counts)
            Values.push_back(C.Count);
          Held.back().Holder = Builder.CreateCall(Hold, Values);
        }
        continue;
      }
      IRBuilder<> Builder(Exit);
      moveToMemory(Builder, Instance, Counters, Place);
      if (!Return && !addsToRow())
        endSteps(*Exit, Place);
    }
    Counters.promote();
    for (PlannedFlush &Path : Held)
      endPath(Path, Instance, Place);
    eraseUnusedHolder(Hold);
    for (Instruction *Exit : Exits)
      if (!isa<ReturnInst>(Exit) && !addsToRow())
        emitFlush(*Exit, flushPlan(*Exit, Place));
  }

  // Counts of a path that are known are added by one thread, others as at a kernel's end.
  void endPath(PlannedFlush &Path, const FunctionInstance &Instance, Value *Row) {
    IRBuilder<> Builder(Path.Holder);
    const size_t Number = Instance.Counters.size();
    SmallVector<Value *, 16> Values(Path.Holder->args()), Counts;
    for (Value *Count : ArrayRef<Value *>(Values).take_front(Number))
      Counts.push_back(knownCount(Count, Builder.GetInsertBlock()->getModule()->getDataLayout()));
    for (auto [C, Value] : zip(Path.Counts, ArrayRef<Value *>(Values).drop_front(Number)))
      C.Count = Value;
    if (all_of(Counts, [](const Value *Count) { return !Count || isa<Constant>(Count); })) {
      addToMemory(Builder, Instance, Counts, Row);
    } else {
      FlushPlan To;
      const unsigned First = Instance.Counters.front().second;
      assert(Instance.Counters.back().second == First + Number - 1 && "a function's groups are neighbours");
      To.Base = partOfRow(Builder, Row, First);
      To.IsRow = true;
      To.Groups = static_cast<unsigned>(Number);
      To.SeveralBases = Plan.IsFunction;
      To.IsClone = Plan.IsClone;
      To.Counts = std::move(Path.Counts);
      emitFlush(*Path.Holder, To);
    }
    Path.Holder->eraseFromParent();
    for (Value *V : Values)
      RecursivelyDeleteTriviallyDeadInstructions(V);
  }

  // A constant if the count is known on this path, null if it is zero.
  static Value *knownCount(Value *Count, const DataLayout &Layout) {
    const KnownBits Known = computeKnownBits(Count, Layout);
    if (Known.isZero())
      return nullptr;
    return Known.isConstant() ? ConstantInt::get(Count->getType(), Known.getConstant()) : Count;
  }

  // A call holds counts until more is known of them.
  static FunctionCallee holder(Function &F) {
    return F.getParent()->getOrInsertFunction(
        "gpuprof.hold", FunctionType::get(Type::getVoidTy(F.getContext()), /*isVarArg=*/true));
  }

  static void eraseUnusedHolder(FunctionCallee Hold) { cast<Function>(Hold.getCallee())->eraseFromParent(); }

  // The thread ends or may end: counts in the array not yet added to a step are added to the present steps.
  void endSteps(Instruction &Exit, Value *Array) {
    IRBuilder<> Builder(&Exit);
    const ThreadCounts Counts = threadCounts(Array);
    for (unsigned Level = 0; Level < Plan.Levels; ++Level)
      emitTimeStepFlush(Builder, Counts, Level, base(Builder, Array), counterSlot(Builder, ForCpu));
    if (Plan.Levels > 0 && !isa<ReturnInst>(Exit)) // if it goes on, the array begins at zero again
      setToZero(Builder, Counts.marks(Builder, 0), uint64_t(Plan.Levels) * Plan.Groups, ForCpu);
  }

  FlushPlan flushPlan(Instruction &Exit, Value *Place) {
    IRBuilder<> Builder(&Exit);
    FlushPlan To;
    if (Plan.TakesCounters && !ForCpu) {
      To.Base = &given();
      To.Bound = boundBase(Builder);
    } else {
      To.Base = EarlyBase ? EarlyBase : base(Builder, Place);
    }
    To.RowLength = CostSheet::rowLength(Plan.Groups);
    To.Groups = Plan.Groups;
    To.Array = addsToRow() ? nullptr : Place;
    To.Resets = !isa<ReturnInst>(Exit);
    To.ForCpu = ForCpu;
    To.SeveralBases = Plan.IsFunction;
    To.IsClone = Plan.IsClone;
    To.IsLine = Plan.Instances.size() == 1 && !readsBlockRow();
    return To;
  }

  // True if block indices may differ in more than one dimension.
  bool readsBlockRow() const {
    return any_of(instructions(Kernel), [](const Instruction &I) {
      const auto *Read = dyn_cast<IntrinsicInst>(&I);
      return Read && (Read->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_ctaid_y ||
                      Read->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_ctaid_z);
    });
  }

  // A short kernel would wait for it at its end.
  bool wantsEarlyBase() const {
    constexpr unsigned MostInstructions = 200; // registers are not scarce then
    return !ForCpu && !Plan.IsFunction && !Plan.TakesCounters && Plan.Instances.size() == 1 &&
           Kernel.getInstructionCount() <= MostInstructions && none_of(Kernel, mayRepeat);
  }

  // On the CPU device the threads of a block can count in the same variables (workitem/BlockCounts.cpp).
  bool sharesVariables() const {
    return ForCpu && !Plan.IsFunction && !Plan.IsClone && Plan.Instances.size() == 1 && Plan.Levels == 0;
  }

  // A formula's program ends with calls with all counts, in the order of their groups.
  void handOver(Function &Root, LocalCounters &Counters) const {
    FunctionCallee Counts = Root.getParent()->getOrInsertFunction(
        FormulaCounts, FunctionType::get(Type::getVoidTy(Root.getContext()), /*isVarArg=*/true));
    for (Instruction *Exit : exitsOf(Root)) {
      IRBuilder<> Builder(Exit);
      Builder.CreateCall(Counts, Counters.load(Builder));
    }
    Counters.promote();
  }

  void flush(LocalCounters &Counters, Value *Place) {
    Function &Root = *Functions[0];
    if (Plan.IsFormula)
      return handOver(Root, Counters);
    if (!ForCpu && !Plan.IsFunction)
      separateReturns(Root);
    if (!EarlyBase && wantsEarlyBase()) {
      IRBuilder<> Builder(&*afterVariables(Root));
      EarlyBase = base(Builder, Place);
    }
    SmallVector<PlannedFlush, 4> Flushes;
    FunctionCallee Hold = holder(Root);
    for (Instruction *Exit : exitsOf(Root)) {
      IRBuilder<> Builder(Exit);
      if (Plan.Levels > 0) {
        moveToMemory(Builder, Plan.Instances[0], Counters, Place);
        endSteps(*Exit, Place);
      }
      countImplied(Builder, Counters);
      SmallVector<LocalCount, 16> Counts = Counters.loadForFlush(Builder);
      SmallVector<Value *, 16> Values;
      for (const LocalCount &C : Counts)
        Values.push_back(C.Count);
      Flushes.push_back({Builder.CreateCall(Hold, Values), Exit, std::move(Counts)});
      if (!isa<ReturnInst>(Exit))
        Counters.reset(Builder);
    }
    if (!sharesVariables())
      Counters.promote();
    // threads of a warp may have reached a function separately
    if (!ForCpu && !Plan.IsFunction && !IsInMemory)
      findUniform(Flushes);
    for (PlannedFlush &Planned : Flushes) {
      for (auto [C, Argument] : zip(Planned.Counts, Planned.Holder->args()))
        C.Count = Argument;
      if (is_contained(Guards.Returns, Planned.Exit) && all_of(Planned.Counts, isZero)) {
        Planned.Holder->eraseFromParent();
        continue;
      }
      FlushPlan To = flushPlan(*Planned.Exit, Place);
      To.Counts = std::move(Planned.Counts);
      Planned.Holder->eraseFromParent();
      emitFlush(*Planned.Exit, To);
    }
    eraseUnusedHolder(Hold);
  }

  static bool isZero(const LocalCount &C) {
    const auto *Known = dyn_cast<ConstantInt>(C.Count);
    return Known && Known->isZero();
  }

  void findUniform(MutableArrayRef<PlannedFlush> Flushes) {
    const WarpUniformity Lanes(Kernel);
    for (PlannedFlush &Planned : Flushes)
      for (auto [C, Argument] : zip(Planned.Counts, Planned.Holder->args()))
        C.IsUniform = Lanes.isUniform(Argument);
  }

  const KernelPlan &Plan;
  Function &Kernel;
  GlobalVariable &Bases;
  unsigned Index;
  bool ForCpu;
  std::vector<Function *> Functions;
  SmallVector<ImpliedCount, 4> Implied; // of the kernel itself
  Value *GuardRow = nullptr;            // the row, at the kernel's begin
  SeparateGuards Guards;                // likewise
  Value *EarlyBase = nullptr;
  Instruction *Begin = nullptr; // behind the variables of the function being changed
  bool IsInMemory = false;
  bool IsInner = false; // of the function being changed: the root calls it
};

} // namespace

bool insertKernelCounters(const KernelPlan &Plan, GlobalVariable &Bases, unsigned Index, bool ForCpu) {
  return KernelCounters(Plan, Bases, Index, ForCpu).insert();
}

} // namespace gpuprof
