// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divergent regions with adjacent threads in each row, such as threadIdx.x < width. Their loops run for this
// range alone, without a test of membership.
#include "workitem/ThreadRanges.h"
#include "workitem/ThreadState.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuprof::cpu {
namespace {
// Larger than any block: a bound may be off by one without overflow.
constexpr int64_t Beyond = int64_t(1) << 20;

bool isX(const Value *V, const Argument &State) {
  if (const auto *Wider = dyn_cast<CastInst>(V); Wider && (isa<ZExtInst>(Wider) || isa<SExtInst>(Wider)))
    V = Wider->getOperand(0);
  const auto *I = dyn_cast<Instruction>(V);
  const StateLoad Of = I ? stateLoad(*I, State) : StateLoad();
  return Of.Is && Of.Which == Field::tid_x;
}

// There is no range if the bound of threadIdx.x is not uniform, or if the comparison is for inequality.
bool addTerm(RangeTerms &Terms, Value *Condition, bool Wanted, const Argument &State,
             const ThreadVariation &Variations) {
  if (Variations.isUniform(Condition)) {
    Terms.push_back({Condition, Wanted, CmpInst::BAD_ICMP_PREDICATE});
    return true;
  }
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  if (!Compare)
    return false;
  CmpInst::Predicate P = Wanted ? Compare->getPredicate() : Compare->getInversePredicate();
  Value *X = Compare->getOperand(0), *Bound = Compare->getOperand(1);
  if (!isX(X, State)) {
    std::swap(X, Bound);
    P = CmpInst::getSwappedPredicate(P);
  }
  if (!isX(X, State) || !Variations.isUniform(Bound) || P == CmpInst::ICMP_NE)
    return false;
  Terms.push_back({Bound, true, P});
  return true;
}
} // namespace

bool forEachTerm(Value *Condition, bool Wanted, function_ref<bool(const Value *)> IsTerm,
                 function_ref<bool(Value *, bool)> Take) {
  Value *A = nullptr, *B = nullptr;
  if (IsTerm(Condition))
    return Take(Condition, Wanted);
  if (match(Condition, m_Not(m_Value(A))))
    return forEachTerm(A, !Wanted, IsTerm, Take);
  if (Wanted ? match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))
             : match(Condition, m_LogicalOr(m_Value(A), m_Value(B))))
    return forEachTerm(A, Wanted, IsTerm, Take) && forEachTerm(B, Wanted, IsTerm, Take);
  return Take(Condition, Wanted);
}

RangeTerms rangeOf(Value *Condition, bool Wanted, const Argument &State, const ThreadVariation &Variations) {
  RangeTerms Terms;
  const bool IsRange = forEachTerm(
      Condition, Wanted, [&](const Value *V) { return Variations.isUniform(V); },
      [&](Value *V, bool IsWanted) { return addTerm(Terms, V, IsWanted, State, Variations); });
  return IsRange ? Terms : RangeTerms();
}

RangeBounds narrow(IRBuilder<> &B, RangeBounds From, const RangeTerm &Term, Value *Bound) {
  if (Term.Compare == CmpInst::BAD_ICMP_PREDICATE) {
    Value *Holds = Term.Wanted ? Bound : B.CreateNot(Bound);
    return {From.Low, B.CreateSelect(Holds, From.High, B.getInt64(0))};
  }
  const CmpInst::Predicate P = Term.Compare;
  const bool IsSigned = CmpInst::isSigned(P);
  Type *Long = B.getInt64Ty();
  if (Bound->getType()->getIntegerBitWidth() < 64)
    Bound = IsSigned ? B.CreateSExt(Bound, Long) : B.CreateZExt(Bound, Long);
  Bound = B.CreateBinaryIntrinsic(IsSigned ? Intrinsic::smin : Intrinsic::umin, Bound, B.getInt64(Beyond));
  Bound = B.CreateBinaryIntrinsic(Intrinsic::smax, Bound, B.getInt64(-1));
  Value *Behind = B.CreateAdd(Bound, B.getInt64(1));
  auto Raise = [&](Value *Low) { From.Low = B.CreateBinaryIntrinsic(Intrinsic::smax, From.Low, Low); };
  auto Lower = [&](Value *High) { From.High = B.CreateBinaryIntrinsic(Intrinsic::smin, From.High, High); };
  switch (P) {
  case CmpInst::ICMP_EQ:
    Raise(Bound);
    Lower(Behind);
    break;
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_SLT:
    Lower(Bound);
    break;
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_SLE:
    Lower(Behind);
    break;
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SGE:
    Raise(Bound);
    break;
  default: // greater
    Raise(Behind);
  }
  return From;
}
} // namespace gpuprof::cpu
