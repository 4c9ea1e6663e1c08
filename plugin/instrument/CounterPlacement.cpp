// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/CounterPlacement.h"

#include "analysis/Groups.h"
#include "common/Compat.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace gpuprof {
namespace {

// Beyond this many operations an addition in the loop is assumed to be cheaper.
constexpr unsigned MostOperations = 12;

// Counts operations, and refuses those needing many instructions.
struct CostVisitor {
  unsigned Operations = 0;
  bool Divides = false;
  bool follow(const SCEV *S) {
    Operations += isa<SCEVNAryExpr>(S) || isa<SCEVUDivExpr>(S);
    if (const auto *Division = dyn_cast<SCEVUDivExpr>(S)) {
      const auto *By = dyn_cast<SCEVConstant>(Division->getRHS());
      Divides |= !By || By->isZero();
    }
    return !isDone();
  }
  bool isDone() const { return Divides || Operations > MostOperations; }
};

uint64_t limited(const APInt &Value) { return Value.getActiveBits() > 64 ? Unlimited : Value.getZExtValue(); }

} // namespace

LoopAnalyses &CounterPlacement::analyses() {
  if (!Analyses) {
    Analyses = std::make_unique<LoopAnalyses>(F);
    ReversePostOrderTraversal<Function *> Order(&F);
    IsReducible = !containsIrreducibleCFG<BasicBlock *>(Order, Analyses->Loops);
  }
  return *Analyses;
}

CounterSite CounterPlacement::inside(BasicBlock &BB) {
  CounterSite Place;
  Place.Block = &BB;
  Place.Most = mostExecutions(BB);
  return Place;
}

CounterSite CounterPlacement::outermost(BasicBlock &BB) {
  CounterSite Place = inside(BB);
  if (Place.Most == 1 || !IsReducible)
    return Place;
  ScalarEvolution &Evolution = analyses().Evolution;
  const SCEV *Amount = Evolution.getOne(Type::getInt64Ty(F.getContext()));
  uint64_t MostAtOnce = 1;
  while (Loop *L = analyses().Loops.getLoopFor(Place.Block)) {
    uint64_t Limit = Unlimited;
    const SCEV *Times = Evolution.isLoopInvariant(Amount, L) ? executions(*L, *Place.Block, Limit) : nullptr;
    if (!Times)
      break;
    const SCEV *Total = Evolution.getMulExpr(Amount, Times);
    if (!isCheap(*Total, *Analyses->Dominators.getNode(L->getHeader())->getIDom()->getBlock()))
      break;
    BasicBlock *Before = L->getLoopPreheader();
    if (!Before)
      Before = InsertPreheaderForLoop(L, &Analyses->Dominators, &Analyses->Loops, nullptr, false);
    if (!Before)
      break;
    Place.Block = Before;
    Place.Amount = Amount = Total;
    MostAtOnce = SaturatingMultiply(MostAtOnce, Limit);
  }
  if (Place.Amount)
    Place.Most = SaturatingMultiply(MostAtOnce, mostExecutions(*Place.Block));
  return Place;
}

Value *CounterPlacement::expand(const CounterSite &Place) {
  if (!Place.Amount)
    return nullptr;
  Instruction *Before = Place.Block->getTerminator();
  return compat::scevExpander(Analyses->Evolution, *F.getParent())
      .expandCodeFor(Place.Amount, Place.Amount->getType(), Before);
}

// The number of executions of a block by a loop entered once, as i64, and its maximum; null: unknown.
const SCEV *CounterPlacement::executions(Loop &L, const BasicBlock &BB, uint64_t &Most) {
  ScalarEvolution &Evolution = Analyses->Evolution;
  const DominatorTree &Dominators = Analyses->Dominators;
  const SCEV *Repeats = Evolution.getBackedgeTakenCount(&L);
  const BasicBlock *Latch = L.getLoopLatch();
  if (isa<SCEVCouldNotCompute>(Repeats) || !Latch || !Dominators.dominates(&BB, Latch))
    return nullptr;
  // In the last iteration the block runs if it comes before the exit.
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  const bool InLast =
      all_of(Exiting, [&](const BasicBlock *Exit) { return Dominators.dominates(&BB, Exit); });
  if (!InLast && any_of(Exiting, [&](const BasicBlock *Exit) {
        return Exit == &BB || !Dominators.dominates(Exit, &BB);
      }))
    return nullptr;
  Type *Long = Type::getInt64Ty(F.getContext());
  if (Evolution.getTypeSizeInBits(Repeats->getType()) > 64)
    return nullptr;
  const APInt Guarded = Evolution.getUnsignedRangeMax(Evolution.applyLoopGuards(Repeats, &L));
  Most = std::min(SaturatingAdd(limited(Guarded), uint64_t(1)), mostTurns(L));
  if (!InLast)
    return Evolution.getNoopOrZeroExtend(Repeats, Long);
  // Adding one in the number's own type is less code if it cannot wrap.
  if (Guarded.isMaxValue())
    Repeats = Evolution.getNoopOrZeroExtend(Repeats, Long);
  Repeats = Evolution.getAddExpr(Repeats, Evolution.getOne(Repeats->getType()));
  return Evolution.getNoopOrZeroExtend(Repeats, Long);
}

bool CounterPlacement::isCheap(const SCEV &Amount, BasicBlock &BB) {
  CostVisitor Cost;
  visitAll(&Amount, Cost);
  return (AtAnyCost || !Cost.isDone()) && compat::scevExpander(Analyses->Evolution, *F.getParent())
                               .isSafeToExpandAt(&Amount, BB.getTerminator());
}

// For the header, when the loop is entered once.
uint64_t CounterPlacement::mostTurns(const Loop &L) {
  const auto *Repeats = dyn_cast<SCEVConstant>(Analyses->Evolution.getConstantMaxBackedgeTakenCount(&L));
  return Repeats ? SaturatingAdd(limited(Repeats->getAPInt()), uint64_t(1)) : mostDifferentNumbers(L);
}

// A loop ending by one condition alone, which compares a sequence of numbers with a bound, has not met any of the numbers
// twice: it would never end. So its turns are fewer than there are numbers, whatever the step. The number that ends it is
// none of the others if the first one would not have ended it either.
uint64_t CounterPlacement::mostDifferentNumbers(const Loop &L) {
  ScalarEvolution &Evolution = Analyses->Evolution;
  const BasicBlock *Exiting = L.getExitingBlock();
  const auto *End = Exiting && Exiting == L.getLoopLatch() ? dyn_cast<BranchInst>(Exiting->getTerminator()) : nullptr;
  const auto *Comparison = End && End->isConditional() ? dyn_cast<ICmpInst>(End->getCondition()) : nullptr;
  if (!Comparison || !Evolution.isSCEVable(Comparison->getOperand(0)->getType()))
    return Unlimited;
  auto Predicate = L.contains(End->getSuccessor(0)) ? Comparison->getPredicate() : Comparison->getInversePredicate();
  const SCEV *Left = Evolution.getSCEV(Comparison->getOperand(0)), *Right = Evolution.getSCEV(Comparison->getOperand(1));
  if (Evolution.isLoopInvariant(Left, &L)) {
    std::swap(Left, Right);
    Predicate = CmpInst::getSwappedPredicate(Predicate);
  }
  const auto *Sequence = dyn_cast<SCEVAddRecExpr>(Left);
  if (!Sequence || Sequence->getLoop() != &L || !Sequence->isAffine() || !Evolution.isLoopInvariant(Right, &L) ||
      Evolution.getTypeSizeInBits(Left->getType()) > 32)
    return Unlimited;
  const SCEV *First = Evolution.getMinusSCEV(Sequence->getStart(), Sequence->getStepRecurrence(Evolution));
  return Evolution.isLoopEntryGuardedByCond(&L, Predicate, First, Right) ? UINT32_MAX : Unlimited;
}

// By one call of the function.
uint64_t CounterPlacement::mostExecutions(const BasicBlock &BB) {
  if (!mayRepeat(BB))
    return 1;
  const Loop *L = analyses().Loops.getLoopFor(&BB);
  if (!IsReducible)
    return Unlimited;
  uint64_t Most = 1;
  for (; L; L = L->getParentLoop())
    Most = SaturatingMultiply(Most, mostTurns(*L));
  return Most;
}

} // namespace gpuprof
