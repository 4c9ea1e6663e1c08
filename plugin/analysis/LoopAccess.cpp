// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/LoopAccess.h"

#include "common/Compat.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace gpuprof {

bool runsEachIteration(const LoopAnalyses &Known, const Loop &L, const BasicBlock &Block) {
  BasicBlock *Latch = L.getLoopLatch();
  return Latch && L.getExitingBlock() == Latch && Known.Loops.getLoopFor(&Block) == &L &&
         Known.Dominators.dominates(&Block, Latch);
}

const SCEV *backedgeTakenCount(LoopAnalyses &Known, const Loop &L) {
  const SCEV *Count = Known.Evolution.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Count) || Known.Evolution.getTypeSizeInBits(Count->getType()) > 64)
    return nullptr;
  return Count;
}

std::optional<int64_t> distance(LoopAnalyses &Known, const SCEV *From, const SCEV *To) {
  const auto *Bytes = dyn_cast<SCEVConstant>(Known.Evolution.getMinusSCEV(To, From));
  return Bytes ? std::optional<int64_t>(Bytes->getAPInt().getSExtValue()) : std::nullopt;
}

std::optional<LoopAccess> loopAccess(LoopAnalyses &Known, const Loop &L, Value *Pointer) {
  ScalarEvolution &Evolution = Known.Evolution;
  const SCEV *Address = Evolution.getSCEV(Pointer);
  if (const auto *Moving = dyn_cast<SCEVAddRecExpr>(Address);
      Moving && Moving->getLoop() == &L && Moving->isAffine())
    return LoopAccess{Moving->getStart(), Moving->getStepRecurrence(Evolution)};
  if (!Evolution.isLoopInvariant(Address, &L))
    return std::nullopt;
  return LoopAccess{Address, Evolution.getZero(Evolution.getEffectiveSCEVType(Address->getType()))};
}

bool canComputeAhead(LoopAnalyses &Known, const Loop &L, const LoopAccess &A) {
  const SCEV *Repeats = backedgeTakenCount(Known, L);
  if (!Repeats || !L.getLoopPreheader())
    return false;
  const Instruction *At = L.getLoopPreheader()->getTerminator();
  SCEVExpander Writer = compat::scevExpander(Known.Evolution, *At->getModule());
  return Writer.isSafeToExpandAt(Repeats, At) && Writer.isSafeToExpandAt(A.Step, At) &&
         Writer.isSafeToExpandAt(A.Start, At);
}

LoopAccessValues computeAhead(LoopAnalyses &Known, const Loop &L, const LoopAccess &A) {
  assert(canComputeAhead(Known, L, A) && "a value that is not known before the loop");
  ScalarEvolution &Evolution = Known.Evolution;
  Instruction *At = L.getLoopPreheader()->getTerminator();
  SCEVExpander Writer = compat::scevExpander(Evolution, *At->getModule());
  Type *Long = Type::getInt64Ty(At->getContext());
  const SCEV *Turns = Evolution.getAddExpr(
      Evolution.getTruncateOrZeroExtend(backedgeTakenCount(Known, L), Long), Evolution.getOne(Long));
  Value *Count = Writer.expandCodeFor(Turns, Long, At);
  Value *Start = Writer.expandCodeFor(A.Start, A.Start->getType(), At);
  Value *Step = Writer.expandCodeFor(A.Step, A.Step->getType(), At);
  return {Start, IRBuilder<>(At).CreateSExtOrTrunc(Step, Long), Count};
}

} // namespace gpuprof
