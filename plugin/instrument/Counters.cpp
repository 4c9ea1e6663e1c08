// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/Counters.h"

#include "analysis/CountPlan.h"
#include "analysis/Groups.h"
#include "analysis/Occupancy.h"
#include "clones/Formula.h"
#include "clones/InstrumentedKernels.h"
#include "common/AbiLayout.h"
#include "common/UnitDescriptor.h"
#include "costs/WarpUniformity.h"
#include "instrument/ArrayElements.h"
#include "instrument/CommonReturns.h"
#include "instrument/CounterPlacement.h"
#include "instrument/CounterRegisters.h"
#include "instrument/Flush.h"
#include "instrument/LocalCounters.h"
#include "instrument/TimeSteps.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#define DEBUG_TYPE "gpuprof-count"

using namespace llvm;

STATISTIC(KernelsCountedByClones, "Number of kernels counted by a clone");
STATISTIC(KernelsCountedInPlace, "Number of kernels with counters of their own");
STATISTIC(KernelsCountedByTwins, "Number of kernels with an instrumented twin that counts");
STATISTIC(ClonesRefused, "Number of kernels without a clone, for a reason");

namespace gpuprof {
namespace {

constexpr unsigned GlobalSpace = 1;

/* ---- One kernel ---- */

class KernelCounters {
public:
  KernelCounters(const KernelPlan &Plan, GlobalVariable &Bases, unsigned Index, bool ForCpu)
      : Plan(Plan), Kernel(Plan.kernel()), Bases(Bases), Index(Index), ForCpu(ForCpu) {}

  /// Returns true if the kernel's own counters are in the thread's memory.
  bool insert() {
    std::vector<std::unique_ptr<ValueToValueMapTy>> Maps;
    for (size_t N = 0; N < Plan.Instances.size(); ++N) {
      const bool IsKernel = N == 0 && !Plan.IsFunction;
      Maps.push_back(IsKernel ? nullptr : std::make_unique<ValueToValueMapTy>());
      Functions.push_back(IsKernel ? &Kernel : instanceWithCounters(*Plan.Instances[N].F, *Maps.back(), N == 0));
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
  // A function gets the address of its kernel's array as an additional last parameter; one for other units,
  // the address of its counters.
  Function *instanceWithCounters(Function &Original, ValueToValueMapTy &Map, bool ForOthers) {
    LLVMContext &Context = Original.getContext();
    Function *Instance = ForOthers ? declareCounted(Original) : nullptr;
    if (!Instance)
      Instance = Function::Create(typeWith(Original, PointerType::get(Context, 0)), GlobalValue::InternalLinkage,
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
      return IsFree ? BitVector(static_cast<unsigned>(Most.size()), true) : countersInRegisters(F, usesOf(F, Blocks, Most, Implied));
    };
    if (Pack && N == 0 && !Plan.IsClone) // the loops of a clone mostly vanish
      Implied = impliedCounts(Instance.Relations, countedInLoops(F, Places));
    BitVector Registers = InRegisters();
    if (!Registers.all() && !Implied.empty()) {
      Implied.clear();
      Registers = InRegisters();
    }
    const bool InArray = !Registers.all() && !Most.empty();
    IsInMemory |= InArray && N == 0;
    IsSetAtCalls = N == 0 && Pack && !InArray && !Plan.IsFunction && !Plan.IsClone;
    Value *Array = N ? &*std::prev(F.arg_end()) : allocateArray(F, InArray);
    SmallVector<unsigned, 16> Elements;
    for (auto [Block, Group] : Instance.Counters)
      Elements.push_back(Group);
    LocalCounters Counters = InArray ? LocalCounters(F, Most, Registers, *Array, Elements, N ? *afterVariables(F) : *AfterArray)
                                     : LocalCounters(F, Most, packing(Pack));
    for (auto [I, Place] : enumerate(Places))
      if (Place.Block && !isImplied(I))
        count(Where, Place, Counters, I);
    IsInner = N != 0;
    for (const CountedValue &V : Instance.Values)
      countValue(*Mapped(V.Call), V, Instance, Counters, Array);
    for (auto [Call, Target] : Instance.Calls) {
      CallInst &There = *Mapped(Call);
      // The counts so far belong to the present step. At a thread's end nobody else adds them.
      if (Plan.Instances[Target].SwitchesSteps || mayEndThread(There)) {
        IRBuilder<> Builder(&There);
        moveToArray(Builder, Instance, Counters, Array);
      }
      if (N == 0 && Used)
        setArrayBefore(There, Array);
      redirect(There, *Functions[Target], argumentFor(There, Target, Array));
    }
    for (auto [Call, Number] : Instance.OtherCalls)
      callOther(*Mapped(Call), Number, Array);
    if (N)
      endFunction(F, Instance, Counters, Array);
    else
      flush(Counters, Array);
  }

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
  Value *argumentFor(CallInst &Call, size_t Target, Value *Array) {
    IRBuilder<> Builder(&Call);
    return Plan.IsFunction && Target == 0 ? base(Builder, Array) : Array;
  }

  static std::vector<CounterUse> usesOf(Function &F, ArrayRef<const BasicBlock *> Blocks, ArrayRef<uint64_t> Most,
                                        ArrayRef<ImpliedCount> Implied) {
    std::vector<CounterUse> Uses;
    for (auto [Limit, Depth] : zip(Most, loopDepths(F, Blocks)))
      Uses.push_back({Limit, Depth});
    for (const ImpliedCount &Count : Implied)
      Uses[Count.Group] = {0, 0};
    return Uses;
  }

  // The counters that a loop adds to, those of the deepest loops first.
  static SmallVector<unsigned, 16> countedInLoops(Function &F, ArrayRef<CounterSite> Places) {
    SmallVector<const BasicBlock *, 16> Blocks;
    for (const CounterSite &Place : Places)
      Blocks.push_back(Place.Amount || Place.Most <= 1 ? nullptr : Place.Block);
    const std::vector<unsigned> Depths = loopDepths(F, Blocks);
    SmallVector<unsigned, 16> Counters;
    for (unsigned I = 0; I < Places.size(); ++I)
      if (Depths[I] > 0)
        Counters.push_back(I);
    llvm::sort(Counters, [&](unsigned A, unsigned B) { return Depths[A] != Depths[B] ? Depths[A] > Depths[B] : A < B; });
    return Counters;
  }

  bool isImplied(size_t Counter) const {
    return any_of(Implied, [&](const ImpliedCount &Count) { return Count.Group == Counter; });
  }

  // Sum: null for zero.
  static Value *addMultiple(IRBuilder<> &Builder, Value *Sum, Value *Count, int Factor) {
    if (Sum && Factor == -1)
      return Builder.CreateSub(Sum, Count);
    Value *Multiple = Factor == 1 ? Count : Builder.CreateMul(Count, ConstantInt::getSigned(Count->getType(), Factor));
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
      Amount = computeKnownBits(V.Call->getArgOperand(0), V.Call->getModule()->getDataLayout()).getMaxValue().getZExtValue();
    for (size_t I = 0; I < directiveRecords(V.Kind).size(); ++I)
      Most[V.First + I] = SaturatingAdd(Most[V.First + I], SaturatingMultiply(Amount, Executions));
  }

  static void count(CounterPlacement &Where, const CounterSite &Place, LocalCounters &Counters, size_t Counter) {
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

  void countValue(CallInst &Call, const CountedValue &V, const FunctionInstance &Instance,
                  LocalCounters &Counters, Value *Array) {
    IRBuilder<> Builder(&Call);
    if (isOfSteps(V.Kind))
      switchStep(Call, V, Instance, Counters, Array);
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
    moveToArray(Builder, Instance, Counters, Array);
    emitTimeStepFlush(Builder, Counts, V.First, base(Builder, Array), counterSlot(Builder, ForCpu));
    copyElements(Builder, Counts.marks(Builder, V.First), Array, Plan.Groups, ForCpu);
    Value *Next = Call.getArgOperand(0);
    Builder.CreateStore(V.Kind == DirectiveKind::Step ? codeOfStep(Builder, Next) : Next, Code);
  }

  ThreadCounts threadCounts(Value *Array) const { return {Array, Plan.Groups, Plan.Levels}; }

  // The address of the counters; functions called by one for other units find it in the frame.
  Value *base(IRBuilder<> &Builder, Value *Array) {
    if (Plan.IsFunction && !IsInner)
      return &*std::prev(Functions[0]->arg_end());
    if (Plan.IsFunction)
      return Builder.CreateLoad(Builder.getInt64Ty(), placeOfBase(Builder, Array));
    Value *Bound = boundBase(Builder);
    return Plan.TakesCounters ? givenOrBound(Builder, &given(), Bound) : Builder.CreateLoad(Builder.getInt64Ty(), Bound);
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
      return Builder.CreateSelect(Builder.CreateICmpEQ(Given, Builder.getInt64(0)), Builder.CreateLoad(Long, Bound), Given);
    auto *Type = FunctionType::get(Long, {Long, Bound->getType()}, false);
    CallInst *Call = Builder.CreateCall(InlineAsm::get(Type,
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
  void callOther(CallInst &Call, unsigned Number, Value *Array) {
    IRBuilder<> Builder(&Call);
    Type *Long = Builder.getInt64Ty();
    const uint64_t Row = CostSheet::rowLength(Plan.Groups), Others = Plan.Levels ? 16 + Plan.Levels * Row : 0;
    Value *Base = base(Builder, Array), *Zero = Builder.getInt64(0);
    BasicBlock *Before = Call.getParent();
    Instruction *Then = SplitBlockAndInsertIfThen(Builder.CreateICmpNE(Base, Zero), &Call, false);
    Builder.SetInsertPoint(Then);
    Value *Place = Builder.CreateAdd(Base, Builder.getInt64(8 * (GPUPROF_COUNTER_SLOTS * Row + Others + Number)));
    Value *Address = Builder.CreateLoad(Long, Builder.CreateIntToPtr(Place, Builder.getPtrTy(GlobalSpace)));
    Builder.SetInsertPoint(&Call);
    PHINode *Counters = Builder.CreatePHI(Long, 2);
    Counters->addIncoming(Address, Then->getParent());
    Counters->addIncoming(Zero, Before);
    redirect(Call, *countedFunction(*Call.getCalledFunction()), Counters);
  }

  // Memory for the groups of called functions, indexed by group; the kernel's own are registers. With steps,
  // for all fields of ThreadCounts.
  Value *allocateArray(Function &F, bool OfKernel) {
    if (Plan.Instances.size() == 1 && Plan.Levels == 0 && !OfKernel && Plan.Instances.front().Calls.empty())
      return nullptr;
    const uint64_t Elements = ThreadCounts::elements(Plan.Groups, Plan.Levels) + Plan.IsFunction;
    IRBuilder<> Builder(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
    AllocaInst *Array =
        Builder.CreateAlloca(ArrayType::get(Builder.getInt64Ty(), Elements), nullptr, "gpuprof.counts");
    while (isa<AllocaInst>(*Builder.GetInsertPoint()))
      Builder.SetInsertPoint(&*std::next(Builder.GetInsertPoint()));
    Array->setAlignment(ArrayAlignment);
    if (IsSetAtCalls) {
      Used = Builder.CreateAlloca(Builder.getInt32Ty(), nullptr, "gpuprof.used");
      Builder.CreateStore(Builder.getInt32(0), Used);
    } else {
      setToZero(Builder, Array, Elements, ForCpu, ArrayAlignment);
    }
    if (Plan.IsFunction)
      Builder.CreateStore(&*std::prev(F.arg_end()), placeOfBase(Builder, Array));
    Value *Generic = Builder.CreatePointerBitCastOrAddrSpaceCast(Array, Builder.getPtrTy());
    AfterArray = &*Builder.GetInsertPoint();
    return Generic;
  }

  // The first call of a thread sets the array to zero. Often there is none, as in the ways of double-precision sines for large
  // arguments; storing and loading zeros took longer than a kernel of such sines.
  void setArrayBefore(CallInst &Call, Value *Array) {
    IRBuilder<> Builder(&Call);
    Value *IsFirst = Builder.CreateICmpEQ(Builder.CreateLoad(Builder.getInt32Ty(), Used), Builder.getInt32(0));
    Builder.SetInsertPoint(SplitBlockAndInsertIfThen(IsFirst, &Call, false));
    setToZero(Builder, Array, Plan.Groups, ForCpu, ArrayAlignment);
    Builder.SetInsertPoint(&Call);
    Builder.CreateStore(Builder.getInt32(1), Used);
  }

  // Puts the counts into the kernel's array, and restarts them at zero.
  void moveToArray(IRBuilder<> &Builder, const FunctionInstance &Instance, LocalCounters &Counters, Value *Array) const {
    addToArray(Builder, Instance, countsOf(Builder, Instance, Counters), Array);
    Counters.reset(Builder);
  }

  static SmallVector<Value *, 16> countsOf(IRBuilder<> &Builder, const FunctionInstance &Instance, const LocalCounters &Counters) {
    SmallVector<Value *, 16> Counts;
    for (size_t I = 0; I < Instance.Counters.size(); ++I) // a zero is not added
      Counts.push_back(Counters.isElement(I) ? Builder.getInt64(0) : Counters.value(Builder, I));
    return Counts;
  }

  bool addsByPtx() const { return !ForCpu && Plan.Levels == 0; } // code for steps reads the array

  // Null: a count of zero.
  void addToArray(IRBuilder<> &Builder, const FunctionInstance &Instance, ArrayRef<Value *> Counts, Value *Array) const {
    Type *Long = Builder.getInt64Ty();
    for (size_t I = 0; I < Counts.size(); ++I) {
      if (!Counts[I])
        continue;
      const unsigned Group = Instance.Counters[I].second;
      if (!addsByPtx()) {
        Value *Element = Builder.CreateConstInBoundsGEP1_64(Long, Array, Group);
        Builder.CreateStore(Builder.CreateAdd(Builder.CreateLoad(Long, Element), Counts[I]), Element);
        continue;
      }
      const bool HasNext = I + 1 < Counts.size() && Counts[I + 1] && Instance.Counters[I + 1].second == Group + 1;
      const size_t Number = Group % 2 == 0 && HasNext ? 2 : 1;
      addToElements(Builder, Array, Group, Counts.slice(I, Number));
      I += Number - 1;
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

  // The ends of a called function: it adds what it counted to its kernel's array.
  void endFunction(Function &F, const FunctionInstance &Instance, LocalCounters &Counters, Value *Array) {
    const SmallVector<Instruction *, 4> Exits = exitsOf(F);
    FunctionCallee Hold = holder(F);
    SmallVector<CallInst *, 8> Held;
    for (Instruction *Exit : Exits) {
      auto *Return = dyn_cast<ReturnInst>(Exit);
      if (Return && addsByPtx()) {
        for (Instruction *End : pathsToReturn(*Return, Instance.Counters.size())) {
          IRBuilder<> Builder(End);
          Held.push_back(Builder.CreateCall(Hold, countsOf(Builder, Instance, Counters)));
        }
        continue;
      }
      IRBuilder<> Builder(Exit);
      moveToArray(Builder, Instance, Counters, Array);
      if (!Return)
        endSteps(*Exit, Array);
    }
    Counters.promote();
    for (CallInst *Call : Held) {
      IRBuilder<> Builder(Call);
      SmallVector<Value *, 16> Counts;
      for (Value *Count : Call->args())
        Counts.push_back(knownCount(Count, F.getParent()->getDataLayout()));
      addToArray(Builder, Instance, Counts, Array);
      Call->eraseFromParent();
    }
    eraseUnusedHolder(Hold);
    for (Instruction *Exit : Exits)
      if (!isa<ReturnInst>(Exit))
        emitFlush(*Exit, flushPlan(*Exit, Array));
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
    return F.getParent()->getOrInsertFunction("gpuprof.hold", FunctionType::get(Type::getVoidTy(F.getContext()), /*isVarArg=*/true));
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

  FlushPlan flushPlan(Instruction &Exit, Value *Array) {
    IRBuilder<> Builder(&Exit);
    FlushPlan To;
    if (Plan.TakesCounters && !ForCpu) {
      To.Base = &given();
      To.Bound = boundBase(Builder);
    } else {
      To.Base = EarlyBase ? EarlyBase : base(Builder, Array);
    }
    To.RowLength = CostSheet::rowLength(Plan.Groups);
    To.Groups = Plan.Groups;
    To.Array = Array;
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

  // The counts at a thread's end are held until the uniform ones are known.
  struct PlannedFlush {
    CallInst *Holder;
    Instruction *Exit;
    SmallVector<LocalCount, 16> Counts;
  };

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

  void flush(LocalCounters &Counters, Value *Array) {
    Function &Root = *Functions[0];
    if (Plan.IsFormula)
      return handOver(Root, Counters);
    if (!ForCpu && !Plan.IsFunction)
      separateReturns(Root);
    if (wantsEarlyBase()) {
      IRBuilder<> Builder(&*afterVariables(Root));
      EarlyBase = base(Builder, Array);
    }
    SmallVector<PlannedFlush, 4> Flushes;
    FunctionCallee Hold = holder(Root);
    for (Instruction *Exit : exitsOf(Root)) {
      IRBuilder<> Builder(Exit);
      if (Plan.Levels > 0) {
        moveToArray(Builder, Plan.Instances[0], Counters, Array);
        endSteps(*Exit, Array);
      }
      countImplied(Builder, Counters);
      SmallVector<LocalCount, 16> Counts = Counters.loadForFlush(Builder);
      SmallVector<Value *, 16> Values;
      for (const LocalCount &C : Counts)
        Values.push_back(C.Count);
      if (Used)
        Values.push_back(Builder.CreateLoad(Builder.getInt32Ty(), Used));
      Flushes.push_back({Builder.CreateCall(Hold, Values), Exit, std::move(Counts)});
      if (!isa<ReturnInst>(Exit))
        Counters.reset(Builder);
    }
    if (!sharesVariables())
      Counters.promote();
    if (Used)
      promoteUsed(Root);
    // threads of a warp may have reached a function separately
    if (!ForCpu && !Plan.IsFunction && !IsInMemory)
      findUniform(Flushes);
    for (PlannedFlush &Planned : Flushes) {
      for (auto [C, Argument] : zip(Planned.Counts, Planned.Holder->args()))
        C.Count = Argument;
      FlushPlan To = flushPlan(*Planned.Exit, Array);
      if (Used)
        To.Used = Planned.Holder->getArgOperand(static_cast<unsigned>(Planned.Counts.size()));
      To.Counts = std::move(Planned.Counts);
      Planned.Holder->eraseFromParent();
      emitFlush(*Planned.Exit, To);
    }
    eraseUnusedHolder(Hold);
  }

  void promoteUsed(Function &Root) {
    DominatorTree Dominators(Root);
    PromoteMemToReg(Used, Dominators);
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
  Value *EarlyBase = nullptr;
  Instruction *AfterArray = nullptr; // behind the initialisation of the array
  bool IsSetAtCalls = false;         // the kernel's array
  AllocaInst *Used = nullptr;        // whether the array is set, if its calls do it
  bool IsInMemory = false;
  bool IsInner = false; // of the function being changed: the root calls it
};

/* ---- The unit ---- */

GlobalVariable &createGlobal(Module &M, Constant *Initializer, bool IsConstant, const char *Name) {
  return *new GlobalVariable(M, Initializer->getType(), IsConstant, GlobalValue::InternalLinkage, Initializer,
                             Name, nullptr, GlobalValue::NotThreadLocal, GlobalSpace);
}

Constant *genericAddress(GlobalVariable *Variable, LLVMContext &Context) {
  auto *Generic = PointerType::get(Context, 0);
  return Variable ? ConstantExpr::getPointerCast(Variable, Generic) : ConstantPointerNull::get(Generic);
}

void tellWay([[maybe_unused]] const Function &Kernel, const CountWay &Way) {
  const bool IsInPlace = Way.How == CountWay::InKernel, IsTwin = Way.How == CountWay::Twin;
  ++(IsInPlace ? KernelsCountedInPlace : IsTwin ? KernelsCountedByTwins : KernelsCountedByClones);
  ClonesRefused += (IsInPlace || IsTwin) && !Way.Why.empty();
  LLVM_DEBUG(dbgs() << Kernel.getName()
                    << (IsInPlace ? ": counters in the kernel" : IsTwin ? ": counted by a twin" : ": counted by a clone")
                    << (Way.Why.empty() ? "" : ", since ") << Way.Why << '\n');
}

void setDescriptor(Module &M, Constant *Value) {
  GlobalVariable *Declared = unitDescriptor(M);
  GlobalVariable &Descriptor = createGlobal(M, Value, false, GPUPROF_UNIT_VARIABLE);
  // the optimiser must not fold data read by the runtime by address
  Descriptor.setExternallyInitialized(true);
  Descriptor.setAlignment(Align(8));
  if (!Declared)
    return;
  Descriptor.copyAttributesFrom(Declared);
  Descriptor.setLinkage(Declared->getLinkage());
  Descriptor.setExternallyInitialized(Declared->isExternallyInitialized());
  Declared->replaceAllUsesWith(ConstantExpr::getPointerCast(&Descriptor, Declared->getType()));
  Descriptor.takeName(Declared);
  Declared->eraseFromParent();
}

// Functions whose instances alone are called.
void eraseUnused(const CountPlan &Plan) {
  std::set<Function *> Originals;
  for (const KernelPlan &Kernel : Plan.Kernels)
    for (size_t N = 1; N < Kernel.Instances.size(); ++N)
      Originals.insert(Kernel.Instances[N].F);
  for (bool Erased = true; Erased;) {
    Erased = false;
    for (auto It = Originals.begin(); It != Originals.end();)
      if ((*It)->isDiscardableIfUnused() && (*It)->use_empty()) {
        (*It)->eraseFromParent();
        It = Originals.erase(It);
        Erased = true;
      } else {
        ++It;
      }
  }
}

// The fields of the sheet's `clone` record, after the kernel's index.
std::string cloneFacts(const CountWay &Way) {
  std::string Facts =
      (Twine(Way.How == CountWay::Free ? "free" : "light") + "\t" + Twine(Way.Parameters)).str();
  for (const CloneRead &Read : Way.Reads)
    Facts += ("\t" + Twine(Read.Parameter) + ":" + Twine(Read.Offset) + ":" + Twine(Read.Bytes)).str();
  return Facts;
}

// … and of its `apart` record.
std::string apartFacts(const PointersApart &Pair) {
  return (Twine(Pair.Read.Parameter) + ":" + Twine(Pair.Read.Offset) + "\t" + Twine(Pair.Written.Parameter) + ":" +
          Twine(Pair.Written.Offset))
      .str();
}

// The fields of the records of pointers, after the kernel's index.
std::string placesFacts(unsigned Parameters, ArrayRef<PointerPlace> Places) {
  std::string Facts = std::to_string(Parameters);
  for (const PointerPlace &Place : Places)
    Facts += ("\t" + Twine(Place.Parameter) + ":" + Twine(Place.Offset)).str();
  return Facts;
}

// Functions left uninlined add to counters in their caller's local memory by generic instructions, even while
// counting is off. This happens at most once for each execution of a group.
void tellGenericCounts(CostSheet &Sheet, size_t Index, const KernelPlan &Kernel) {
  for (const FunctionInstance &Instance : drop_begin(Kernel.Instances))
    for (auto [Block, Group] : Instance.Counters)
      for (CostClass Class : {CostClass::generic_local_load, CostClass::generic_local_store})
        Sheet.detail(Index, Group, Class, sizeof(uint64_t));
}

void tellSheet(CountPlan &Plan, size_t Index, const CountWay &Way, bool ForCpu) {
  switch (Way.How) {
  case CountWay::InKernel:
    if (!ForCpu)
      tellGenericCounts(Plan.Sheet, Index, Plan.Kernels[Index]);
    break;
  case CountWay::Twin:
    Plan.Sheet.marks(Index, "twin", std::to_string(Way.Parameters));
    break;
  case CountWay::Free:
  case CountWay::Light:
    Plan.Sheet.clone(Index, cloneFacts(Way));
    if (!Way.Formula.empty())
      Plan.Sheet.marks(Index, "formula", Way.Formula);
    break;
  }
  if (Way.Waits)
    Plan.Sheet.waits(Index);
  if (Way.CountersOffset)
    Plan.Sheet.marks(Index, "counters", (Twine(Way.Parameters) + "\t" + Twine(*Way.CountersOffset)).str());
  for (const PointersApart &Pair : Way.Apart)
    Plan.Sheet.apart(Index, apartFacts(Pair));
  if (Way.Loads && Way.Stores) // the kernel must not write what its clone reads
    Plan.Sheet.marks(Index, "loads", placesFacts(Way.Parameters, *Way.Loads));
  if (Way.Stores)
    Plan.Sheet.marks(Index, "stores", placesFacts(Way.Parameters, *Way.Stores));
}

} // namespace

std::vector<CountWay> insertCounters(Module &M, CountPlan &Plan, bool ForCpu, CloneMaker &Clones) {
  LLVMContext &Context = M.getContext();
  const unsigned Number = static_cast<unsigned>(Plan.Kernels.size());
  GlobalVariable *Bases = nullptr;
  if (Number > 0) {
    Bases = &createGlobal(M, ConstantAggregateZero::get(ArrayType::get(Type::getInt64Ty(Context), Number)),
                          false, "__gpuprof_counters");
    Bases->setAlignment(Align(8));
    Bases->setExternallyInitialized(true);
  }
  std::vector<CountWay> Ways;
  for (unsigned Index = 0; Index < Number; ++Index) {
    auto Insert = [&](const KernelPlan &Kernel) { return KernelCounters(Kernel, *Bases, Index, ForCpu).insert(); };
    Ways.push_back(Clones.make(Plan.Kernels[Index], *Bases, Insert));
    tellSheet(Plan, Index, Ways.back(), ForCpu);
    tellWay(Plan.Kernels[Index].kernel(), Ways.back());
  }
  eraseUnused(Plan);
  eraseDirectiveCalls(M);

  const std::string Text = Plan.Sheet.text();
  GlobalVariable &Sheet = createGlobal(M, ConstantDataArray::getString(Context, Text, /*AddNull=*/false),
                                       true, "__gpuprof_sheet");
  using Unit = abi::device_unit;
  setDescriptor(M, abi::ConstantOf<Unit>(Context)
                       .set(Unit::abi_version, uint64_t(GPUPROF_ABI_VERSION))
                       .set(Unit::kernel_count, uint64_t(Number))
                       .set(Unit::sheet, genericAddress(&Sheet, Context))
                       .set(Unit::sheet_bytes, uint64_t(Text.size()))
                       .set(Unit::counters, genericAddress(Bases, Context))
                       .get());
  return Ways;
}

} // namespace gpuprof
