// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/KeptValues.h"
#include "workitem/ConvergentOps.h"
#include "workitem/ThreadArray.h"
#include "workitem/ThreadState.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// A value of at most so many operations is computed again instead of kept.
constexpr unsigned CheapDepth = 6;

Instruction *behind(Value *V) {
  auto *I = cast<Instruction>(V);
  return isa<PHINode>(I) ? &*I->getParent()->getFirstInsertionPt() : I->getNextNode();
}
} // namespace

KeptValues::KeptValues(FormedBody &Body) : Body(Body) {
  for (Instruction &I : instructions(Body.F))
    Given.insert(&I);
}

void KeptValues::keepPosition(ParallelRegion &R) {
  IRBuilder<> B(Body.startOfTurn(R));
  for (Field Which : {Field::tid_x, Field::tid_y, Field::tid_z, Field::laneid, Field::warpid})
    B.CreateStore(position(R, Which),
                  B.CreateStructGEP(Body.L.ThreadType, Body.F.getArg(0), static_cast<unsigned>(Which)));
}

Value *KeptValues::position(ParallelRegion &R, Field Which) {
  const LoopNest &Loop = Body.Loops[&R];
  IRBuilder<> B(Body.startOfTurn(R));
  Value *V = Which == Field::tid_x    ? Loop.Position[2]
             : Which == Field::tid_y  ? Loop.Position[1]
             : Which == Field::tid_z  ? Loop.Position[0]
             : Which == Field::laneid ? B.CreateAnd(Loop.Linear, 31)
                                      : B.CreateLShr(Loop.Linear, 5);
  Positions[V] = Which;
  return V;
}

// An array of a variable, one element a thread, with the original alignment. The type alone may be aligned
// less, and its size need not be a multiple.
AllocaInst *KeptValues::variables(const AllocaInst &Variable) {
  Type *T = Variable.getAllocatedType();
  const Align Wanted = Variable.getAlign();
  const uint64_t Bytes = Body.F.getParent()->getDataLayout().getTypeAllocSize(T);
  if (const uint64_t Padding = alignTo(Bytes, Wanted) - Bytes)
    T = StructType::get(T, ArrayType::get(Type::getInt8Ty(T->getContext()), Padding));
  AllocaInst *Array = Body.array(T);
  Array->setAlignment(std::max(Array->getAlign(), Wanted));
  return Array;
}

// The array of a thread's value, stored right behind its definition. A shuffle moves the bits of a float as an integer:
// both are one array.
AllocaInst *KeptValues::elements(Value *V) {
  if (const auto *Bits = dyn_cast<BitCastInst>(V); Bits && !Arrays.count(V)) {
    Value *Of = Bits->getOperand(0);
    const TypeSize Size = Body.L.M.getDataLayout().getTypeAllocSize(V->getType());
    if (isa<Instruction>(Of) && !isOutside(Of) && differs(Of) &&
        Body.L.M.getDataLayout().getTypeAllocSize(Of->getType()) == Size)
      return elements(Of);
  }
  AllocaInst *&Array = Arrays[V];
  if (!Array) {
    Array = Body.array(V->getType());
    IRBuilder<> B(behind(V));
    B.CreateStore(V,
                  elementOf(B, Array, Body.Loops[Body.Regions.of(cast<Instruction>(V)->getParent())].Index));
  }
  return Array;
}

// The memory of a uniform value.
AllocaInst *KeptValues::single(Value *V) {
  AllocaInst *&Memory = Singles[V];
  if (!Memory) {
    Memory = IRBuilder<>(&*Body.Setup->begin()).CreateAlloca(V->getType());
    IRBuilder<>(behind(V)).CreateStore(V, Memory);
  }
  return Memory;
}

bool KeptValues::isOutside(const Value *V) const {
  auto *I = const_cast<Instruction *>(dyn_cast<Instruction>(V));
  return !I || (I->getParent() == Body.Setup && !Body.Variables.contains(I));
}

bool KeptValues::isCheap(const Value *V, unsigned Depth) const {
  if (isOutside(V) || Body.Variables.contains(const_cast<Instruction *>(cast<Instruction>(V))) || !differs(V))
    return true;
  const auto *I = cast<Instruction>(V);
  if (stateLoad(*I, *Body.F.getArg(0)).Is || Positions.count(I))
    return true;
  if (!Depth ||
      (!isa<BinaryOperator>(I) && !isa<CastInst>(I) && !isa<GetElementPtrInst>(I) && !isa<ICmpInst>(I)) ||
      I->isIntDivRem() || !(I->getType()->isIntOrPtrTy()))
    return false;
  return all_of(I->operands(), [&](const Use &U) { return isCheap(U, Depth - 1); });
}

Value *KeptValues::here(ParallelRegion &R, Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (isOutside(V) || (I->getParent() != Body.Setup && Body.Regions.of(I->getParent()) == &R))
    return V;
  if (Value *Old = Known.lookup({&R, V}))
    return Old;
  Value *Result = computeHere(R, *I);
  if (!differs(V))
    Alike.insert(Result);
  Known[{&R, V}] = Result;
  return Result;
}

Value *KeptValues::whole(Value *V, IRBuilder<> &B) {
  return isOutside(V) ? V : B.CreateLoad(V->getType(), single(V));
}

Value *KeptValues::computeHere(ParallelRegion &R, Instruction &I) {
  if (const StateLoad Of = stateLoad(I, *Body.F.getArg(0)); Of.Is)
    return position(R, Of.Which);
  if (auto Of = Positions.find(&I); Of != Positions.end()) // in another parallel region
    return position(R, Of->second);
  if (Body.Variables.contains(&I)) { // a variable of its own for each thread
    AllocaInst *&Array = Arrays[&I];
    if (!Array)
      Array = variables(cast<AllocaInst>(I));
    IRBuilder<> B(Body.startOfTurn(R));
    return elementOf(B, Array, Body.Loops[&R].Index);
  }
  if (!differs(&I))
    return IRBuilder<>(Body.Loops[&R].Head->getTerminator()).CreateLoad(I.getType(), single(&I));
  if (isCheap(&I, CheapDepth)) {
    Instruction *Again = I.clone();
    for (Use &U : Again->operands())
      U = here(R, U);
    IRBuilder<>(Body.startOfTurn(R)).Insert(Again);
    Again->setDebugLoc(DebugLoc());
    return Again;
  }
  AllocaInst *Array = elements(&I);
  IRBuilder<> B(Body.startOfTurn(R));
  Value *Element = B.CreateLoad(I.getType(), elementOf(B, Array, Body.Loops[&R].Index));
  return Element;
}

void KeptValues::hoistState() {
  SmallVector<std::pair<Instruction *, Field>> Found;
  for (Instruction &I : instructions(Body.F))
    if (const StateLoad Of = stateLoad(I, *Body.F.getArg(0));
        Of.Is && !variesByThread(Of.Which) && I.getParent() != Body.Setup)
      Found.push_back({&I, Of.Which});
  for (auto [I, Which] : Found) {
    Value *&Once = Fields[static_cast<unsigned>(Which)];
    IRBuilder<> B(Body.Setup->getTerminator());
    if (!Once)
      Once = Body.L.load(B, Which);
    I->replaceAllUsesWith(Once);
    Body.Dead.push_back(I);
  }
}

// True if the array that a phi's values come in can also hold the phi's value for other parallel regions: a thread
// stores the next value in front of the phi's region, so the old one must not be used behind another edge of that
// branch, nor by other threads.
bool KeptValues::sharesArray(const PHINode &Phi) const {
  const auto IsOfThread = [&](const User *U) {
    const auto *I = cast<Instruction>(U);
    return !isa<BitCastInst>(I) && convergentOp(*I) == ConvergentOp::None && !Body.Runs.continues(*I);
  };
  if (!all_of(Phi.users(), IsOfThread))
    return false;
  const BasicBlock *Own = Phi.getParent();
  SmallPtrSet<const BasicBlock *, 16> Seen{Own};
  SmallVector<const BasicBlock *> Work;
  auto Reach = [&](const BasicBlock *From) {
    for (const BasicBlock *To : successors(From))
      if (Seen.insert(To).second)
        Work.push_back(To);
  };
  for (const BasicBlock *From : Phi.blocks())
    Reach(From);
  while (!Work.empty())
    Reach(Work.pop_back_val());
  Seen.erase(Own);
  return none_of(Phi.uses(), [&](const Use &U) {
    const auto *User = cast<Instruction>(U.getUser());
    const auto *Of = dyn_cast<PHINode>(User);
    return Seen.contains(Of ? Of->getIncomingBlock(U) : User->getParent());
  });
}

void KeptValues::lowerPhis(ParallelRegion &R) {
  const LoopNest &Loop = Body.Loops[&R];
  for (PHINode &Phi : R.Entry->phis()) {
    const bool Differs = differs(&Phi), IsShared = Differs && sharesArray(Phi);
    AllocaInst *Memory =
        Differs ? Body.array(Phi.getType()) : IRBuilder<>(&*Body.Setup->begin()).CreateAlloca(Phi.getType());
    auto Address = [&](IRBuilder<> &B, ParallelRegion &Of) {
      return Differs ? elementOf(B, Memory, Body.Loops[&Of].Index) : Memory;
    };
    SmallPtrSet<BasicBlock *, 4> Stored;
    for (unsigned N = 0; N != Phi.getNumIncomingValues(); ++N)
      if (BasicBlock *From = Phi.getIncomingBlock(N); Stored.insert(From).second) {
        assert(Body.Regions.of(From) && "an operand of a phi that belongs to no region");
        IRBuilder<> B(From->getTerminator());
        B.CreateStore(Phi.getIncomingValue(N), Address(B, *Body.Regions.of(From)));
      }
    IRBuilder<> B(Differs ? Loop.First->getTerminator() : Loop.Head->getTerminator());
    Value *Now = B.CreateLoad(Phi.getType(), Address(B, R));
    if (!Differs)
      Alike.insert(Now);
    if (IsShared)
      Arrays[Now] = Memory;
    Phi.replaceAllUsesWith(Now);
    Body.Dead.push_back(&Phi);
  }
}

ParallelRegion *KeptValues::regionOfUse(const Use &U) const {
  const auto *User = cast<Instruction>(U.getUser());
  if (const auto *Phi = dyn_cast<PHINode>(User))
    return Body.Regions.of(Phi->getIncomingBlock(U));
  return Body.Regions.of(User->getParent());
}

void KeptValues::lowerUses() {
  SmallVector<Instruction *> Values;
  for (Instruction &I : instructions(Body.F))
    if (!I.getType()->isVoidTy() && (Body.Regions.of(I.getParent()) || Body.Variables.contains(&I)))
      Values.push_back(&I);
  for (Instruction *I : Values) {
    ParallelRegion *Own = Body.Regions.of(I->getParent());
    SmallVector<Use *> Across;
    for (Use &U : I->uses())
      if (ParallelRegion *At = regionOfUse(U); At && At != Own)
        Across.push_back(&U);
    for (Use *U : Across)
      U->set(here(*regionOfUse(*U), I));
  }
  for (Instruction *I : Values)
    if (const StateLoad Of = stateLoad(*I, *Body.F.getArg(0)); Of.Is) {
      I->replaceAllUsesWith(position(*Body.Regions.of(I->getParent()), Of.Which));
      Body.bury(*I);
    }
}
} // namespace gpuprof::cpu
