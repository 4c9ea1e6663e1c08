// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters of a block. On a GPU each thread counts in its own variables (plugin/instrument/LocalCounters.cpp)
// and adds them to the counters in memory where it returns (Flush.cpp). Here the threads of a block run one
// after the other. They share the variables, added to memory once a block.
#include "workitem/BlockCounts.h"
#include "module/Lowering.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// A block's sum of amounts below this limit fits 32 bits. The optimiser processes twice as many of these at a
// time.
constexpr uint64_t MostOfTurn = uint64_t(1) << 21;

// variable += amount
struct Increment {
  LoadInst *Old = nullptr;
  BinaryOperator *Sum = nullptr;
  StoreInst *New = nullptr;
  Value *amount() const { return Sum->getOperand(Sum->getOperand(0) == Old ? 1 : 0); }
  void remove() const {
    New->eraseFromParent();
    Sum->eraseFromParent();
    Old->eraseFromParent();
  }
};

Increment incrementAt(StoreInst &New, const AllocaInst &Variable) {
  auto *Sum = dyn_cast<BinaryOperator>(New.getValueOperand());
  if (!Sum || Sum->getOpcode() != Instruction::Add || !Sum->hasOneUse())
    return {};
  for (Value *Operand : Sum->operands())
    if (auto *Old = dyn_cast<LoadInst>(Operand); Old && Old->getPointerOperand() == &Variable &&
                                                 Old->hasOneUse() && Old->getParent() == New.getParent())
      return {Old, Sum, &New};
  return {};
}

void add(IRBuilder<> &B, AllocaInst *Variable, Value *Amount) {
  Type *T = Variable->getAllocatedType();
  B.CreateStore(B.CreateAdd(B.CreateLoad(T, Variable), B.CreateZExtOrTrunc(Amount, T)), Variable);
}

ReturnInst *onlyReturn(Function &F) {
  ReturnInst *Found = nullptr;
  for (BasicBlock &Block : F)
    if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator())) {
      if (Found)
        return nullptr;
      Found = Return;
    }
  return Found;
}

// The sum of what one work-item loop adds to one variable.
class LoopSum {
public:
  LoopSum(const LoopNest &Of, AllocaInst *Variable, const Loop &Own, const LoopInfo &Loops,
          const DominatorTree &Before)
      : Of(Of), Variable(Variable), Own(Own), Loops(Loops), Before(Before) {}
  void take(const Increment &I) {
    if (Loops.getLoopFor(I.New->getParent()) != &Own)
      return;
    const auto *Given = dyn_cast<Instruction>(I.amount());
    const bool Differs = Given && Own.contains(Given);
    if (!Differs && Before.dominates(I.New->getParent(), Of.Latch)) {
      Alike.push_back(I);
      return;
    }
    const KnownBits Bits = computeKnownBits(I.amount(), I.New->getModule()->getDataLayout());
    const uint64_t Most = Bits.getMaxValue().getLimitedValue(MostOfTurn + 1);
    if (MostOfSome + Most > MostOfTurn)
      return;
    MostOfSome += Most;
    Some.push_back(I);
  }
  void emit();

private:
  const LoopNest &Of;
  AllocaInst *Variable;
  const Loop &Own;
  const LoopInfo &Loops;
  const DominatorTree &Before;
  // Alike: equal in each iteration. Some: small amounts in some iterations, or depending on the iteration.
  SmallVector<Increment> Alike, Some;
  uint64_t MostOfSome = 0;
};

void LoopSum::emit() {
  IRBuilder<> B(Of.Done->getTerminator());
  for (const Increment &I : Alike) {
    Value *Amount = B.CreateZExtOrTrunc(I.amount(), B.getInt64Ty());
    add(B, Variable, B.CreateMul(Amount, Of.Turns));
    I.remove();
  }
  if (Some.empty())
    return;
  Function &F = *Of.Head->getParent();
  AllocaInst *Sum = IRBuilder<>(&*F.getEntryBlock().begin()).CreateAlloca(B.getInt32Ty());
  IRBuilder<>(Of.Head->getTerminator()).CreateStore(B.getInt32(0), Sum);
  for (const Increment &I : Some) {
    IRBuilder<> Here(I.New);
    add(Here, Sum, I.amount());
    I.remove();
  }
  add(B, Variable, B.CreateLoad(B.getInt32Ty(), Sum));
}
} // namespace

// counters[slot][group] += variable, as Flush.cpp emits it.
BlockCounts::Flush BlockCounts::flushAt(Instruction &I) {
  auto *Sum = isa<IntToPtrInst>(I) ? dyn_cast<BinaryOperator>(I.getOperand(0)) : nullptr;
  auto *Base = Sum ? dyn_cast<LoadInst>(Sum->getOperand(0)) : nullptr;
  auto *Offset = Sum ? dyn_cast<ZExtInst>(Sum->getOperand(1)) : nullptr;
  auto *Product = Offset ? dyn_cast<BinaryOperator>(Offset->getOperand(0)) : nullptr;
  auto *RowBytes = Product ? dyn_cast<ConstantInt>(Product->getOperand(1)) : nullptr;
  if (!Base || !RowBytes || Product->getOpcode() != Instruction::Mul ||
      !isa<Constant>(Base->getPointerOperand()))
    return {};
  const Value *Variable = getUnderlyingObject(Base->getPointerOperand());
  if (!Variable->getName().contains("__gpuprof_counters"))
    return {};
  return {&I, Base, RowBytes->getZExtValue()};
}

// All uses of the row are additions of a variable to one and the same group.
bool BlockCounts::match(const Flush &Of) {
  for (User *U : Of.Address->users()) {
    auto *Element = dyn_cast<GetElementPtrInst>(U);
    auto *Group =
        Element && Element->getNumIndices() == 1 ? dyn_cast<ConstantInt>(Element->getOperand(1)) : nullptr;
    if (!Group || !Element->hasNUses(2))
      return false;
    StoreInst *New = nullptr;
    for (User *Access : Element->users())
      if (auto *Store = dyn_cast<StoreInst>(Access); Store && Store->getPointerOperand() == Element)
        New = Store;
    auto *Sum = New ? dyn_cast<BinaryOperator>(New->getValueOperand()) : nullptr;
    auto *Old = Sum ? dyn_cast<LoadInst>(Sum->getOperand(0)) : nullptr;
    auto *Count = Sum ? dyn_cast<LoadInst>(Sum->getOperand(1)) : nullptr;
    auto *Variable = Count ? dyn_cast<AllocaInst>(Count->getPointerOperand()) : nullptr;
    if (!Old || Old->getPointerOperand() != Element || !Variable || !Variable->isStaticAlloca() ||
        !isAllocaPromotable(Variable) || Sum->getOpcode() != Instruction::Add)
      return false;
    const uint64_t Number = Group->getZExtValue();
    if (Groups.insert({Variable, Number}).first->second != Number)
      return false;
    Ends.push_back(New);
  }
  return true;
}

// The variable is set to zero, counted up and flushed.
bool BlockCounts::matchUses(AllocaInst &Variable) const {
  for (User *U : Variable.users()) {
    if (auto *Store = dyn_cast<StoreInst>(U)) {
      const auto *Start = dyn_cast<Constant>(Store->getValueOperand());
      if (!(Start && Start->isNullValue()) && !incrementAt(*Store, Variable).New)
        return false;
      continue;
    }
    for (User *Of : U->users()) {
      const auto *Sum = dyn_cast<BinaryOperator>(Of);
      if (!Sum || !Sum->hasOneUse() || !isa<StoreInst>(*Sum->user_begin()))
        return false;
      const auto *Store = cast<StoreInst>(*Sum->user_begin());
      if (Store->getPointerOperand() != &Variable && !is_contained(Ends, Store))
        return false;
    }
  }
  return true;
}

BlockCounts::BlockCounts(Function &F) : F(F) {
  bool Matches = true;
  for (Instruction &I : instructions(F))
    if (const Flush Found = flushAt(I); Found.Address) {
      Matches &= match(Found) && Found.Base->getPointerOperand() ==
                                     (Flushes.empty() ? Found : Flushes[0]).Base->getPointerOperand();
      Flushes.push_back(Found);
    }
  if (Matches && all_of(Groups, [&](const auto &Of) { return matchUses(*Of.first); }))
    return;
  Flushes.clear();
  Groups.clear();
  Ends.clear();
}

bool BlockCounts::isVariable(const Value *V) const {
  return Groups.count(const_cast<AllocaInst *>(dyn_cast<AllocaInst>(V)));
}

void BlockCounts::leaveThreads(BasicBlock &Setup) {
  for (Instruction *End : Ends)
    End->eraseFromParent();
  for (auto [Variable, Group] : Groups) {
    SmallVector<StoreInst *> Starts;
    for (User *U : Variable->users())
      if (auto *Store = dyn_cast<StoreInst>(U); Store && isa<Constant>(Store->getValueOperand()))
        Starts.push_back(Store);
    for (StoreInst *Start : Starts)
      Start->eraseFromParent();
    Variable->removeFromParent();
    Variable->insertInto(&Setup, Setup.begin());
    IRBuilder<>(Setup.getTerminator())
        .CreateStore(Constant::getNullValue(Variable->getAllocatedType()), Variable);
  }
}

void BlockCounts::flush(Lowering &L) {
  ReturnInst *Return = onlyReturn(F);
  if (Flushes.empty() || !Return)
    return;
  IRBuilder<> B(Return);
  Value *Base = B.CreateLoad(B.getInt64Ty(), Flushes[0].Base->getPointerOperand());
  Value *Slot = L.load(B, Field::slot);
  B.SetInsertPoint(SplitBlockAndInsertIfThen(B.CreateICmpNE(Base, B.getInt64(0)), Return, false));
  Value *Offset = B.CreateMul(B.CreateZExt(Slot, B.getInt64Ty()), B.getInt64(Flushes[0].RowBytes));
  Value *Row = B.CreateIntToPtr(B.CreateAdd(Base, Offset), B.getPtrTy());
  for (auto [Variable, Group] : Groups) {
    Value *Counter = B.CreateConstInBoundsGEP1_64(B.getInt64Ty(), Row, Group);
    Value *Count = B.CreateZExt(B.CreateLoad(Variable->getAllocatedType(), Variable), B.getInt64Ty());
    B.CreateStore(B.CreateAdd(B.CreateLoad(B.getInt64Ty(), Counter), Count), Counter);
  }
}

void BlockCounts::gather(Lowering &L, ArrayRef<LoopNest> All) {
  const DominatorTree Before(F);
  const LoopInfo Loops(Before);
  CycleInfo Cycles;
  Cycles.compute(F);
  for (const LoopNest &Of : All) {
    const Loop *Own = Loops.getLoopFor(Of.First);
    MapVector<AllocaInst *, LoopSum> Sums;
    for (BasicBlock *Block : Own ? Own->blocks() : ArrayRef<BasicBlock *>()) {
      // A cycle with several entries is no loop: its blocks may run more than once in an iteration.
      if (Cycles.getCycle(Block) != Cycles.getCycle(Of.First))
        continue;
      for (Instruction &I : *Block)
        if (auto *Store = dyn_cast<StoreInst>(&I); Store && isVariable(Store->getPointerOperand())) {
          auto *Variable = cast<AllocaInst>(Store->getPointerOperand());
          if (const Increment Found = incrementAt(*Store, *Variable); Found.New)
            Sums.insert({Variable, LoopSum(Of, Variable, *Own, Loops, Before)}).first->second.take(Found);
        }
    }
    for (auto &[Variable, Sum] : Sums)
      Sum.emit();
  }
  flush(L);
}
} // namespace gpuprof::cpu
