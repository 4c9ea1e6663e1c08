// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//   if (threads >= LongRow) {
//     for (x = 0; x < cut; ++x) { x < bound }
//     for (x = cut; x < threads; ++x) { x >= bound }
//   } else the loop as it was
#include "vectorize/SplitRows.h"
#include "module/Lowering.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#define DEBUG_TYPE "gpuprof-cpu-split-rows"

using namespace llvm;

STATISTIC(RowsSplit, "Number of loops over threads that were split at an index");

namespace gpuprof::cpu {
namespace {
constexpr uint32_t LongRow = 64; // threads: the rest of two vectorised loops costs more for fewer
constexpr size_t MostInstructions = 96;

// X < Bound, or the opposite.
struct Comparison {
  ICmpInst *At = nullptr;
  Value *Bound = nullptr;
  bool IsSigned = false;
  bool IsBehind = false;  // X <= Bound: the cut lies behind it
  bool HoldsBelow = true; // true for the threads below the cut
};

class RowSplit {
public:
  RowSplit(const InnerLoop &Inner, Loop &Threads)
      : Inner(Inner), Threads(Threads), Preheader(Threads.getLoopPreheader()), Exit(Threads.getExitBlock()) {}
  bool find(ArrayRef<GlobalAccess> Unrecorded);
  void emit();

private:
  bool isPlain() const;
  std::optional<Comparison> comparison(ICmpInst &I) const;
  Value *cut(IRBuilder<> &B) const;
  BasicBlock *copy(Value *From, Value *To, BasicBlock *Before, BasicBlock *After, bool IsBelow);

  const InnerLoop &Inner;
  Loop &Threads;
  BasicBlock *Preheader, *Exit;
  Comparison Found;
};

// One latch with the test of the counter, which starts at 0; no values used behind the loop.
bool RowSplit::isPlain() const {
  const BasicBlock *Latch = Threads.getLoopLatch();
  if (!Latch || !Exit || !Preheader || Threads.getHeader() != Inner.First ||
      Threads.getExitingBlock() != Latch || &*Inner.First->begin() != Inner.X ||
      isa<PHINode>(Inner.X->getNextNode()) || isa<PHINode>(Exit->front()))
    return false;
  const auto *Start = dyn_cast<ConstantInt>(Inner.X->getIncomingValueForBlock(Preheader));
  const auto *End = dyn_cast<BranchInst>(Latch->getTerminator());
  const auto *Test = End && End->isConditional() ? dyn_cast<ICmpInst>(End->getCondition()) : nullptr;
  return Start && Start->isZero() && Test && Test->hasOneUse() && Test->getPredicate() == CmpInst::ICMP_NE &&
         Test->getOperand(1) == Inner.Count;
}

std::optional<Comparison> RowSplit::comparison(ICmpInst &I) const {
  CmpInst::Predicate P = I.getPredicate();
  Value *X = I.getOperand(0), *Bound = I.getOperand(1);
  if (X != Inner.X) {
    std::swap(X, Bound);
    P = CmpInst::getSwappedPredicate(P);
  }
  const auto *Given = dyn_cast<Instruction>(Bound);
  if (X != Inner.X || CmpInst::isEquality(P) || (Given && Threads.contains(Given)) || isa<Constant>(Bound))
    return std::nullopt;
  const bool IsLess =
      P == CmpInst::ICMP_ULT || P == CmpInst::ICMP_SLT || P == CmpInst::ICMP_ULE || P == CmpInst::ICMP_SLE;
  const bool IsBehind =
      P == CmpInst::ICMP_ULE || P == CmpInst::ICMP_SLE || P == CmpInst::ICMP_UGT || P == CmpInst::ICMP_SGT;
  return Comparison{&I, Bound, CmpInst::isSigned(P), IsBehind, IsLess};
}

bool RowSplit::find(ArrayRef<GlobalAccess> Unrecorded) {
  if (!isPlain() || any_of(Unrecorded, [&](const GlobalAccess &A) { return Threads.contains(A.At); }))
    return false;
  size_t Count = 0;
  for (BasicBlock *Block : Threads.blocks()) {
    Count += Block->size();
    for (Instruction &I : *Block)
      if (auto *Compare = dyn_cast<ICmpInst>(&I); Compare && !Found.At)
        Found = comparison(*Compare).value_or(Comparison());
  }
  return Found.At && Count <= MostInstructions;
}

// The number of threads below the bound.
Value *RowSplit::cut(IRBuilder<> &B) const {
  Type *Long = B.getInt64Ty();
  Value *Bound = Found.IsSigned ? B.CreateSExt(Found.Bound, Long) : B.CreateZExt(Found.Bound, Long);
  if (Found.IsBehind)
    Bound = B.CreateAdd(Bound, B.getInt64(1));
  Bound = B.CreateBinaryIntrinsic(Intrinsic::smax, Bound, B.getInt64(0));
  Bound = B.CreateBinaryIntrinsic(Intrinsic::smin, Bound, B.CreateZExt(Inner.Count, Long));
  return B.CreateTrunc(Bound, B.getInt32Ty(), "cut");
}

// A copy for the threads [From, To), between two blocks. Returns its first block.
BasicBlock *RowSplit::copy(Value *From, Value *To, BasicBlock *Before, BasicBlock *After, bool IsBelow) {
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *> Copies;
  Map[Preheader] = Before;
  Map[Exit] = After;
  for (BasicBlock *Block : Threads.blocks()) {
    Copies.push_back(CloneBasicBlock(Block, Map, IsBelow ? ".below" : ".above", Block->getParent()));
    Map[Block] = Copies.back();
  }
  for (BasicBlock *Block : Copies)
    for (Instruction &I : *Block)
      RemapInstruction(&I, Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  auto *X = cast<PHINode>(Map.lookup(Inner.X));
  X->setIncomingValueForBlock(Before, From);
  Instruction *Latch = cast<BasicBlock>(Map.lookup(Threads.getLoopLatch()))->getTerminator();
  cast<ICmpInst>(cast<BranchInst>(Latch)->getCondition())->setOperand(1, To);
  if (MDNode *Old = Latch->getMetadata(LLVMContext::MD_loop)) {
    MDNode *New =
        MDNode::getDistinct(Latch->getContext(), SmallVector<Metadata *>(Old->op_begin(), Old->op_end()));
    New->replaceOperandWith(0, New);
    Latch->setMetadata(LLVMContext::MD_loop, New);
  }
  Value *Compare = Map.lookup(Found.At);
  Compare->replaceAllUsesWith(ConstantInt::getBool(Compare->getContext(), IsBelow == Found.HoldsBelow));
  return cast<BasicBlock>(Map.lookup(Inner.First));
}

void RowSplit::emit() {
  Function *F = Preheader->getParent();
  auto NewBlock = [&](const Twine &Name) { return BasicBlock::Create(F->getContext(), Name, F, Exit); };
  BasicBlock *Long = NewBlock("row.long"), *Rest = NewBlock("row.rest");
  IRBuilder<> B(Long);
  Value *Cut = cut(B);
  BasicBlock *Below = copy(B.getInt32(0), Cut, Long, Rest, true);
  B.CreateCondBr(B.CreateIsNull(Cut), Rest, Below);
  B.SetInsertPoint(Rest);
  BasicBlock *Above = copy(Cut, Inner.Count, Rest, Exit, false);
  B.CreateCondBr(B.CreateICmpEQ(Cut, Inner.Count), Exit, Above);
  Instruction *End = Preheader->getTerminator();
  B.SetInsertPoint(End);
  B.CreateCondBr(B.CreateICmpULT(Inner.Count, B.getInt32(LongRow)), Inner.First, Long);
  End->eraseFromParent();
  ++RowsSplit;
}

void splitRows(Function &F, ArrayRef<InnerLoop> InnerLoops, ArrayRef<GlobalAccess> Unrecorded) {
  for (const InnerLoop &Inner : InnerLoops) {
    DominatorTree Dominators(F);
    LoopInfo Loops(Dominators);
    Loop *Threads = Loops.getLoopFor(Inner.First);
    if (!Threads || !Threads->isInnermost() || Threads->getHeader() != Inner.First)
      continue;
    if (!Threads->getLoopPreheader())
      InsertPreheaderForLoop(Threads, &Dominators, &Loops, nullptr, false);
    RowSplit Split(Inner, *Threads);
    if (Split.find(Unrecorded))
      Split.emit();
  }
}
} // namespace

void splitRows(Lowering &L) {
  for (Kernel &K : L.Kernels)
    splitRows(*K.Body, K.Loops, K.Unrecorded);
}
} // namespace gpuprof::cpu
