// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/ThreadVariation.h"
#include "workitem/ConvergentOps.h"
#include "workitem/ThreadState.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"

#define DEBUG_TYPE "gpuprof-cpu-thread-variation"

using namespace llvm;

STATISTIC(ValuesSolved, "Number of values whose variation between threads was found");
STATISTIC(BranchesDivergent, "Number of branches at which threads may diverge");

namespace gpuprof::cpu {
namespace {
constexpr int64_t LargestStep = int64_t(1) << 30; // beyond it, sums of steps might overflow
constexpr unsigned DeepestSum = 6;

bool isTooLarge(int64_t Step) { return std::abs(Step) >= LargestStep; }
} // namespace

ThreadVariation::ThreadVariation(Function &Body, const PostDominatorTree &After)
    : Group(ThreadGroup::Block), Body(Body), After(&After),
      Layout(Body.getParent()->getDataLayout()) {
  const ReversePostOrderTraversal<Function *> InOrder(&Body);
  solve(SmallVector<BasicBlock *>(InOrder.begin(), InOrder.end()));
}

ThreadVariation::ThreadVariation(const Loop &Threads, const PHINode &X, const PostDominatorTree &After,
                                 const LoopInfo &Loops)
    : Group(ThreadGroup::Row), Body(*Threads.getHeader()->getParent()), Threads(&Threads), X(&X),
      After(&After), Layout(Body.getParent()->getDataLayout()) {
  LoopBlocksRPO InOrder(const_cast<Loop *>(&Threads));
  InOrder.perform(const_cast<LoopInfo *>(&Loops));
  solve(SmallVector<BasicBlock *>(InOrder.begin(), InOrder.end()));
}

ThreadVariation::ThreadVariation(const Loop &Threads, const PHINode &X, const LoopInfo &Loops)
    : Group(ThreadGroup::Strip), Body(*Threads.getHeader()->getParent()), Threads(&Threads), X(&X),
      Layout(Body.getParent()->getDataLayout()) {
  LoopBlocksRPO InOrder(const_cast<Loop *>(&Threads));
  InOrder.perform(const_cast<LoopInfo *>(&Loops));
  solve(SmallVector<BasicBlock *>(InOrder.begin(), InOrder.end()));
}

Variation ThreadVariation::of(const Value *V) const {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !covers(I->getParent()))
    return {Variation::Uniform};
  return Known.lookup(V);
}

std::optional<int64_t> ThreadVariation::step(const Value *V) const {
  const Variation Of = of(V);
  if (Of.Is == Variation::Uniform || Of.Is == Variation::Affine)
    return Of.Step;
  return std::nullopt;
}

bool ThreadVariation::isContiguous(const Value *Pointer, const Type *Element) const {
  const Variation Of = of(Pointer);
  return Of.Is == Variation::Affine &&
         uint64_t(Of.Step) == Layout.getTypeStoreSize(const_cast<Type *>(Element));
}

/* ---- The fixed point ---- */

// Visits the instructions with changed operands in the order of execution. In another order, an operand of a
// sum could still be out of date: the sum would be taken for varying.
void ThreadVariation::solve(ArrayRef<BasicBlock *> Blocks) {
  for (const BasicBlock *Block : Blocks)
    for (const Instruction &I : *Block) {
      Numbers[&I] = Order.size();
      Order.push_back(&I);
    }
  Due.resize(Order.size(), true);
  while (Due.any())
    for (int Next = Due.find_first(); Next != -1; Next = Due.find_next(Next)) {
      Due.reset(Next);
      update(*Order[Next]);
    }
  ValuesSolved += Order.size();
  BranchesDivergent += Diverged.size();
  Order.clear();
  Numbers.clear();
}

void ThreadVariation::update(const Instruction &I) {
  const Variation Old = Known.lookup(&I);
  if (Old.Is == Variation::Varying)
    return;
  const Variation New = transfer(I);
  // A value above uniform can only become varying.
  if (New == Old || New.Is < Old.Is)
    return;
  raise(I, Old.isLinear() ? Variation{Variation::Varying} : New);
  if (I.isTerminator() && New.Is > Variation::Uniform && After)
    diverge(const_cast<BasicBlock &>(*I.getParent()));
}

void ThreadVariation::raise(const Instruction &I, Variation New) {
  assert(New.Is >= Known.lookup(&I).Is && "a value goes down in the lattice");
  Known[&I] = New;
  for (const User *U : I.users())
    if (auto At = Numbers.find(cast<Instruction>(U)); At != Numbers.end())
      Due.set(At->second);
}

// Phis and loads of a join vary with the path taken. The same holds behind a loop left in different
// iterations.
void ThreadVariation::taint(BasicBlock &Block) {
  if (!covers(&Block))
    return;
  for (const Instruction &I : Block)
    if (&I != X && of(&I).Is != Variation::Varying &&
        (isa<PHINode>(I) || (isa<LoadInst>(I) && !stateLoad(I, *Body.getArg(0)).Is)))
      raise(I, {Variation::Varying});
}

// Threads diverge at the end of the block and reconverge at its post-dominator. Between the two, paths join
// in blocks reachable on several ways.
void ThreadVariation::diverge(BasicBlock &Block) {
  const BasicBlock *Latch = Threads ? Threads->getLoopLatch() : nullptr;
  if (&Block == Latch || !Diverged.insert(&Block).second) // the next thread begins behind the latch
    return;
  const auto *Node = After->getNode(&Block);
  BasicBlock *Join = Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  DenseMap<BasicBlock *, unsigned> Ways;
  SmallPtrSet<BasicBlock *, 4> Starts(succ_begin(&Block), succ_end(&Block));
  for (BasicBlock *Start : Starts) {
    SmallPtrSet<BasicBlock *, 16> Seen{Start};
    SmallVector<BasicBlock *> Next{Start};
    while (!Next.empty()) {
      BasicBlock *At = Next.pop_back_val();
      ++Ways[At];
      if (At != Join && At != Latch)
        for (BasicBlock *Successor : successors(At))
          if (Seen.insert(Successor).second)
            Next.push_back(Successor);
    }
  }
  for (auto [At, Count] : Ways)
    if (Count > 1)
      taint(*At);
  if (!Cycles) {
    Cycles = std::make_unique<CycleInfo>();
    Cycles->compute(Body);
  }
  // Cycles with several entries are no loops; threads leave them in different iterations, too.
  for (const auto *Around = Cycles->getCycle(&Block); Around && !(Threads && Around->getHeader() == Threads->getHeader());
       Around = Around->getParentCycle())
    if (!Join || !Around->contains(Join))
      for (BasicBlock *At : Around->blocks())
        taint(*At);
}

/* ---- One instruction ---- */

// Sources of variation: values that may differ between threads although their operands are equal.
bool ThreadVariation::isSource(const Instruction &I) const {
  if (I.getType()->isVoidTy())
    return false;
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    const StateLoad Of = stateLoad(I, *Body.getArg(0));
    return Of.Is ? variesByThread(Of.Which) : Load->isVolatile() || Load->isAtomic();
  }
  const auto *Call = dyn_cast<CallBase>(&I);
  return isa<AllocaInst>(I) || isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I) ||
         (Call && !Call->doesNotAccessMemory());
}

Variation ThreadVariation::transfer(const Instruction &I) const {
  if (&I == X)
    return {Variation::Affine, 1};
  if (const auto *Phi = dyn_cast<PHINode>(&I))
    return joined(*Phi);
  if (convergentOp(I) == ConvergentOp::BarrierReduce) // one number for the block
    return {Variation::Uniform};
  if (isSource(I))
    return {Variation::Varying};
  if (any_of(I.operands(), [&](const Use &U) { return of(U).Is == Variation::Unknown; }))
    return {};
  if (all_of(I.operands(), [&](const Use &U) { return of(U).Is == Variation::Uniform; }))
    return {Variation::Uniform};
  if (const auto *Address = dyn_cast<GetElementPtrInst>(&I))
    return address(*Address);
  switch (I.getOpcode()) {
  case Instruction::Add:
    return sum(of(I.getOperand(0)), of(I.getOperand(1)), 1);
  case Instruction::Sub:
    return sum(of(I.getOperand(0)), of(I.getOperand(1)), -1);
  case Instruction::Mul:
    return of(I.getOperand(0)).Is == Variation::Uniform ? scaled(I, 1, 0, false) : scaled(I, 0, 1, false);
  case Instruction::Shl:
    return scaled(I, 0, 1, true);
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return keepsSteps(cast<CastInst>(I)) ? of(I.getOperand(0)) : Variation{Variation::Varying};
  case Instruction::AddrSpaceCast:
    return of(I.getOperand(0));
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::And:
    return ofWarpIndex(I);
  default:
    return {Variation::Varying};
  }
}

// Vector bodies check extensions from 32 to 64 bits for wraparound, and no other casts.
bool ThreadVariation::keepsSteps(const CastInst &I) const {
  if (Group == ThreadGroup::Row)
    return true;
  const Type *From = I.getOperand(0)->getType(), *To = I.getType();
  switch (I.getOpcode()) {
  case Instruction::Trunc:
    return To->isIntegerTy(32);
  case Instruction::PtrToInt:
    return To->isIntegerTy(64);
  case Instruction::IntToPtr:
    return From->isIntegerTy(64);
  default: // extensions
    return From->isIntegerTy(32) && To->isIntegerTy(64);
  }
}

Variation ThreadVariation::sum(Variation A, Variation B, int64_t Sign) const {
  if (A.Is == Variation::Varying || B.Is == Variation::Varying)
    return {Variation::Varying};
  if (A.Is == Variation::Strided || B.Is == Variation::Strided)
    return {Variation::Strided};
  const int64_t Step = A.Step + Sign * B.Step;
  if (Step > LargestStep || Step < -LargestStep)
    return {Variation::Varying};
  return Step ? Variation{Variation::Affine, Step} : Variation{Variation::Uniform};
}

Variation ThreadVariation::scaled(const Instruction &I, unsigned Of, unsigned By, bool IsShift) const {
  const Variation A = of(I.getOperand(Of));
  if (!A.isLinear() || of(I.getOperand(By)).Is != Variation::Uniform)
    return {Variation::Varying};
  const auto *Factor = dyn_cast<ConstantInt>(I.getOperand(By));
  if (!Factor || A.Is == Variation::Strided)
    return {IsShift && !Factor ? Variation::Varying : Variation::Strided};
  int64_t Number = LargestStep;
  if (IsShift)
    Number = Factor->getValue().ult(30) ? int64_t(1) << Factor->getZExtValue() : LargestStep;
  else if (Factor->getBitWidth() <= 64)
    Number = Factor->getSExtValue();
  if (isTooLarge(Number) || isTooLarge(A.Step) || isTooLarge(A.Step * Number))
    return {Variation::Varying};
  return sum({Variation::Affine, A.Step * Number}, {Variation::Uniform}, 1);
}

Variation ThreadVariation::address(const GetElementPtrInst &I) const {
  Variation Total = of(I.getPointerOperand());
  for (auto At = gep_type_begin(I), End = gep_type_end(I); At != End; ++At) {
    const Value *Index = At.getOperand();
    const Variation Moves = of(Index);
    if (Moves.Is == Variation::Uniform)
      continue;
    const uint64_t Bytes = Layout.getTypeAllocSize(At.getIndexedType()).getFixedValue();
    if (!Moves.isLinear() || (Group == ThreadGroup::Strip && !Index->getType()->isIntegerTy(64)) ||
        Bytes >= uint64_t(LargestStep) || isTooLarge(Moves.Step) || isTooLarge(Moves.Step * int64_t(Bytes)))
      return {Variation::Varying};
    Total = sum(Total,
                Moves.Is == Variation::Strided ? Moves
                                               : Variation{Variation::Affine, Moves.Step * int64_t(Bytes)},
                1);
  }
  return Total;
}

Variation ThreadVariation::joined(const PHINode &I) const {
  Variation Result;
  for (const Value *V : I.incoming_values()) {
    const Variation Way = of(V);
    if (Way.Is == Variation::Unknown)
      continue;
    if (Result.Is == Variation::Unknown)
      Result = Way;
    if (!(Result == Way) || Way.Is == Variation::Strided)
      return {Variation::Varying};
  }
  return Result;
}

// The index of a thread's warp and of its lane, as optimised. Of the loop's counter they are known, since a strip
// begins at a multiple of its width. Of sums (the index in the grid) code in the vector body checks them.
Variation ThreadVariation::ofWarpIndex(const Instruction &I) const {
  const auto *Number = dyn_cast<ConstantInt>(I.getOperand(1));
  if (Group != ThreadGroup::Strip || !(of(I.getOperand(0)) == Variation{Variation::Affine, 1}) || !Number)
    return {Variation::Varying};
  const APInt &Bits = Number->getValue();
  const bool IsWarps = Bits.isPowerOf2() && !Bits.isSignMask() && Bits.uge(WidestStrip); // signed, the mask is negative
  bool IsWarp = false, IsLane = false;
  switch (I.getOpcode()) {
  case Instruction::LShr:
  case Instruction::AShr:
    IsWarp = Bits.uge(Log2_32(WidestStrip)) && Bits.ult(Bits.getBitWidth());
    break;
  case Instruction::UDiv:
  case Instruction::SDiv:
    IsWarp = IsWarps;
    break;
  case Instruction::URem:
  case Instruction::SRem:
    IsLane = IsWarps;
    break;
  default:
    IsLane = Bits.isMask() && Bits.uge(WidestStrip - 1);
    IsWarp = Bits.isNegatedPowerOf2() && (-Bits).logBase2() >= Log2_32(WidestStrip);
  }
  return IsLane ? Variation{Variation::Affine, 1} : Variation{IsWarp ? Variation::Uniform : Variation::Varying};
}

bool ThreadVariation::isWarpIndexOfSum(const Instruction &I) const {
  const bool IsIndex = I.getNumOperands() == 2 && I.getOperand(0) != X && of(I.getOperand(0)).isLinear();
  switch (I.getOpcode()) {
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::And:
    return IsIndex && of(&I).Is != Variation::Varying;
  default:
    return false;
  }
}

bool ThreadVariation::isExact(const Value *V, bool Signed) const {
  SmallPtrSet<const PHINode *, 4> Assumed;
  return isExact(V, Signed, DeepestSum, Assumed);
}

// A variable of a loop is exact by induction: where it starts, and in each step.
bool ThreadVariation::isExact(const Value *V, bool Signed, unsigned Depth,
                              SmallPtrSetImpl<const PHINode *> &Assumed) const {
  const auto *I = dyn_cast<Instruction>(V);
  if (of(V).Is == Variation::Uniform || V == X)
    return true;
  if (I && of(V).isLinear() && // index of a lane
      (I->getOpcode() == Instruction::And || I->getOpcode() == Instruction::URem ||
       (Signed && I->getOpcode() == Instruction::SRem)))
    return true;
  if (!Depth)
    return false;
  if (const auto *Phi = dyn_cast<PHINode>(V); Phi && of(V).isLinear())
    return !Assumed.insert(Phi).second || all_of(Phi->incoming_values(), [&](const Use &U) {
      return isExact(U, Signed, Depth - 1, Assumed);
    });
  const auto *Sum = dyn_cast<OverflowingBinaryOperator>(V);
  if (!Sum || !(Signed ? Sum->hasNoSignedWrap() : Sum->hasNoUnsignedWrap()))
    return false;
  return all_of(Sum->operands(), [&](const Use &U) {
    const auto *Number = dyn_cast<ConstantInt>(U);
    return isExact(U, Signed, Depth - 1, Assumed) && (Signed || !Number || !Number->isNegative());
  });
}

void ThreadVariation::print(raw_ostream &OS) const {
  constexpr const char *Groups[] = {"block", "row", "strip"};
  constexpr const char *Kinds[] = {"unknown", "uniform", "affine", "strided", "varying"};
  OS << "variation in a " << Groups[static_cast<unsigned>(Group)] << " of " << Body.getName() << ":\n";
  for (const Instruction &I : instructions(Body)) {
    if (I.getType()->isVoidTy() || !covers(I.getParent()))
      continue;
    const Variation Of = of(&I);
    OS << "  " << Kinds[Of.Is];
    if (Of.Is == Variation::Affine)
      OS << " " << Of.Step;
    OS << ":" << I << "\n";
  }
}

void printThreadVariation(Lowering &L, raw_ostream &OS) {
  for (const Kernel &K : L.Kernels) {
    const DominatorTree Before(*K.Body);
    const PostDominatorTree After(*K.Body);
    const LoopInfo Loops(Before);
    if (K.Loops.empty())
      ThreadVariation(*K.Body, After).print(OS);
    for (const InnerLoop &Inner : K.Loops)
      if (const Loop *Threads = Loops.getLoopFor(Inner.First)) {
        ThreadVariation(*Threads, *Inner.X, After, Loops).print(OS);
        ThreadVariation(*Threads, *Inner.X, Loops).print(OS);
      }
  }
}
} // namespace gpuprof::cpu
