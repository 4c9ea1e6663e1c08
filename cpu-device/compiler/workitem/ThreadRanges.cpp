// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divergent regions with ranges of threadIdx.x, y and z, such as threadIdx.x < width. Their loops run for these
// ranges alone, without a test of membership.
#include "workitem/ThreadRanges.h"
#include "workitem/ConvergentOps.h"
#include "workitem/ThreadState.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuprof::cpu {
namespace {
// Larger than any block: a bound may be off by one without overflow.
constexpr int64_t Beyond = int64_t(1) << 20;
constexpr Field Indices[] = {Field::tid_z, Field::tid_y, Field::tid_x};

// The direction of an index in a loop nest.
std::optional<unsigned> directionOf(const Value *V, const Argument &State) {
  if (const auto *Wider = dyn_cast<CastInst>(V); Wider && (isa<ZExtInst>(Wider) || isa<SExtInst>(Wider)))
    V = Wider->getOperand(0);
  const auto *I = dyn_cast<Instruction>(V);
  const StateLoad Of = I ? stateLoad(*I, State) : StateLoad();
  if (Of.Is)
    for (unsigned N = 0; N != std::size(Indices); ++N)
      if (Of.Which == Indices[N])
        return N;
  return std::nullopt;
}

bool isX(const Value *V, const Argument &State) { return directionOf(V, State) == AlongX; }

// threadIdx.x % Apart == Rest, as optimised.
bool addDistance(RangeTerms &Terms, ICmpInst::Predicate P, Value *Left, Value *Right, const Argument &State) {
  constexpr uint64_t Farthest = 512; // fewer than a block's threads
  Value *X = nullptr;
  const APInt *Mask = nullptr, *Rest = nullptr;
  if (P != CmpInst::ICMP_EQ || !match(Left, m_And(m_Value(X), m_APInt(Mask))) || !match(Right, m_APInt(Rest)) ||
      !isX(X, State) || !Mask->isMask() || Mask->ugt(Farthest) || Rest->ugt(*Mask) || termApart(Terms))
    return false;
  RangeTerm New;
  New.Apart = unsigned(Mask->getZExtValue()) + 1;
  New.Rest = unsigned(Rest->getZExtValue());
  Terms.push_back(New);
  return true;
}

// The number of a warp, threadIdx.x >> By, compared with a constant.
bool addOfWarp(RangeTerms &Terms, CmpInst::Predicate P, Value *Left, Value *Right, const Argument &State) {
  constexpr uint64_t Most = 1024;
  Value *X = nullptr;
  const APInt *By = nullptr, *Number = nullptr;
  if (!match(Left, m_LShr(m_Value(X), m_APInt(By))) || !match(Right, m_APInt(Number)) || !isX(X, State) ||
      By->ugt(Log2_64(Most)) || Number->ugt(Most))
    return false;
  auto Take = [&](CmpInst::Predicate Compare, uint64_t Warps) {
    Terms.push_back({ConstantInt::get(Left->getType(), Warps << By->getZExtValue()), true, Compare});
    return true;
  };
  const uint64_t Warp = Number->getZExtValue();
  switch (CmpInst::isSigned(P) ? ICmpInst::getUnsignedPredicate(P) : P) { // both are positive
  case CmpInst::ICMP_EQ:
    return Take(CmpInst::ICMP_UGE, Warp) && Take(CmpInst::ICMP_ULT, Warp + 1);
  case CmpInst::ICMP_NE:
    return !Warp && Take(CmpInst::ICMP_UGE, 1);
  case CmpInst::ICMP_ULT:
    return Take(CmpInst::ICMP_ULT, Warp);
  case CmpInst::ICMP_ULE:
    return Take(CmpInst::ICMP_ULT, Warp + 1);
  case CmpInst::ICMP_UGE:
    return Take(CmpInst::ICMP_UGE, Warp);
  default: // greater
    return Take(CmpInst::ICMP_UGE, Warp + 1);
  }
}

// There is no range if the bound of the index is not uniform, or if the comparison is for inequality.
bool addTerm(RangeTerms &Terms, Value *Condition, bool Wanted, const Argument &State,
             const ThreadVariation &Variations) {
  if (Variations.isUniform(Condition)) {
    Terms.push_back({Condition, Wanted});
    return true;
  }
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  if (!Compare)
    return false;
  CmpInst::Predicate P = Wanted ? Compare->getPredicate() : Compare->getInversePredicate();
  Value *X = Compare->getOperand(0), *Bound = Compare->getOperand(1);
  if (addDistance(Terms, P, X, Bound, State) || addOfWarp(Terms, P, X, Bound, State))
    return true;
  if (!directionOf(X, State)) {
    std::swap(X, Bound);
    P = CmpInst::getSwappedPredicate(P);
  }
  const std::optional<unsigned> Along = directionOf(X, State);
  if (!Along || !Variations.isUniform(Bound) || P == CmpInst::ICMP_NE)
    return false;
  Terms.push_back({Bound, true, P});
  Terms.back().Along = *Along;
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

const RangeTerm *termApart(const RangeTerms &Terms) {
  const auto *Found = find_if(Terms, [](const RangeTerm &Term) { return Term.Apart > 1; });
  return Found == Terms.end() ? nullptr : Found;
}

bool holdForFew(const RangeTerms &Terms) {
  return any_of(Terms, [](const RangeTerm &Term) { return Term.Compare == CmpInst::ICMP_EQ || Term.Apart >= 32; });
}

namespace {
// A comparison met by few threads: of an index with a constant.
bool isForFew(Value *Condition, bool Wanted, const Argument &State) {
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  if (!Compare || (Wanted ? Compare->getPredicate() : Compare->getInversePredicate()) != CmpInst::ICMP_EQ)
    return false;
  RangeTerms Terms;
  Value *Left = Compare->getOperand(0), *Right = Compare->getOperand(1);
  return (isa<ConstantInt>(Right) && directionOf(Left, State)) ||
         (addDistance(Terms, CmpInst::ICMP_EQ, Left, Right, State) && holdForFew(Terms));
}

// A block run on one way of the branch only, without an operation for several threads.
bool isGuarded(const BasicBlock &Inside, const BasicBlock &Join) {
  return Inside.getSinglePredecessor() && Inside.getSingleSuccessor() == &Join &&
         none_of(Inside, [](const Instruction &I) { return convergentOp(I) != ConvergentOp::None; });
}

void splitGuard(BranchInst &Branch, bool Wanted, const Argument &State) {
  BasicBlock *Block = Branch.getParent();
  BasicBlock *Inside = Branch.getSuccessor(Wanted ? 0 : 1), *Join = Branch.getSuccessor(Wanted ? 1 : 0);
  if (!isGuarded(*Inside, *Join))
    return;
  IRBuilder<> B(&Branch);
  Value *Few = nullptr, *Others = nullptr;
  SmallVector<std::pair<Value *, bool>> Terms;
  forEachTerm(
      Branch.getCondition(), Wanted, [](const Value *) { return false; },
      [&](Value *V, bool IsWanted) {
        Terms.push_back({V, IsWanted});
        return true;
      });
  const auto IsFew = [&](const auto &Term) { return isForFew(Term.first, Term.second, State); };
  if (none_of(Terms, IsFew) || all_of(Terms, IsFew))
    return;
  for (const auto &Term : Terms) {
    Value *Met = Term.second ? Term.first : B.CreateNot(Term.first);
    Value *&All = IsFew(Term) ? Few : Others;
    All = All ? B.CreateLogicalAnd(All, Met) : Met;
  }
  BasicBlock *Between = BasicBlock::Create(B.getContext(), "guard", Block->getParent(), Inside);
  B.CreateCondBr(Few, Between, Join);
  Branch.eraseFromParent();
  B.SetInsertPoint(Between);
  B.CreateCondBr(Others, Inside, Join);
  Inside->replacePhiUsesWith(Block, Between);
  for (PHINode &Phi : Join->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(Block), Between);
}
} // namespace

void splitGuards(Function &Body) {
  SmallVector<BranchInst *> Found;
  for (BasicBlock &Block : Body)
    if (auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
        Branch && Branch->isConditional() && Branch->getSuccessor(0) != Branch->getSuccessor(1))
      Found.push_back(Branch);
  for (BranchInst *Branch : Found)
    splitGuard(*Branch, Branch->getSuccessor(0)->getSingleSuccessor() == Branch->getSuccessor(1),
               *Body.getArg(0));
}

RangeTerms rangeOf(Value *Condition, bool Wanted, const Argument &State, const ThreadVariation &Variations) {
  RangeTerms Terms;
  const bool IsRange = forEachTerm(
      Condition, Wanted, [&](const Value *V) { return Variations.isUniform(V); },
      [&](Value *V, bool IsWanted) { return addTerm(Terms, V, IsWanted, State, Variations); });
  return IsRange ? Terms : RangeTerms();
}

RangeBounds narrow(IRBuilder<> &B, RangeBounds From, const RangeTerm &Term, Value *Bound) {
  if (Term.Apart > 1)
    return From;
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
