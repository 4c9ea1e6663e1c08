// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memtrace/SectorTraceInnerLoops.h"
#include "module/GlobalAccesses.h"
#include "module/InnerLoop.h"
#include "module/Lowering.h"
#include "workitem/ThreadRanges.h"
#include "workitem/ThreadVariation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#define DEBUG_TYPE "gpuprof-cpu-sectors-of-rows"

using namespace llvm;

STATISTIC(AccessesOfRows, "Number of accesses recorded once for a row of threads");
STATISTIC(AccessesLeft, "Number of accesses of kernels not recorded for a row");
STATISTIC(CallsOfRows, "Number of calls that record accesses of a row");
STATISTIC(LoopsForWholeRows, "Number of loops over threads copied for rows that run whole");

namespace gpuprof::cpu {
namespace {
constexpr unsigned Deepest = 12;
constexpr int64_t SectorBytes = 32;

class InnerLoopTrace {
public:
  InnerLoopTrace(Lowering &L, const InnerLoop &Inner, const DominatorTree &Before,
           const PostDominatorTree &After, const LoopInfo &Around);
  /// Tries to record the access. True: emit() will mark its sectors.
  bool take(const GlobalAccess &A);
  /// Call it once, after all rows have tried their accesses, with the rest. The analyses are invalid
  /// afterwards.
  void emit(ArrayRef<GlobalAccess> Left);

private:
  // A comparison of Left, which rises by one from thread to thread, with Bound. Without Left, a condition uniform in
  // the row.
  struct Condition {
    Value *Whole = nullptr;
    bool Wanted = true;
    Value *Left = nullptr, *Bound = nullptr;
    CmpInst::Predicate Compare = CmpInst::BAD_ICMP_PREDICATE;
  };
  // Accesses of one block at constant distances without a whole sector between them.
  struct Taken {
    GlobalAccess Access; // the first one found
    SmallVector<Condition, 2> Conditions;
    const Value *Base = nullptr;              // they cover Base + Low … Base + End
    // of the first one found; the lowest, the highest, and the end of all
    int64_t Offset = 0, Low = 0, High = 0, End = 0;
  };
  bool join(const GlobalAccess &A, const Value *Base, int64_t Offset);
  Value *start(IRBuilder<> &B, const Taken &T, Value *X);
  bool isComputable(const Value *V, unsigned Depth = 0) const;
  std::optional<int64_t> step(const Value *V);
  bool conditionsOf(const BasicBlock *Block, SmallVectorImpl<Condition> &Found);
  bool leadsTo(const BasicBlock *Way, const BasicBlock *Block) const;
  bool addCondition(Value *C, bool Wanted, SmallVectorImpl<Condition> &Found);
  Value *at(IRBuilder<> &B, Value *V, Value *X);
  Value *wide(IRBuilder<> &B, Value *V, bool IsSigned);
  RangeBounds narrowed(IRBuilder<> &B, const Condition &C, RangeBounds From);
  void require(IRBuilder<> &B, Value *Holds);
  void markEach(Instruction *Before);
  bool isShort(ArrayRef<GlobalAccess> Left) const;
  void addWholeRow(Instruction *End, Value *AllIn);

  Lowering &L;
  const InnerLoop &Inner;
  const DominatorTree &Before;
  const PostDominatorTree &After;
  const LoopInfo &Around;
  const DataLayout &Layout;
  DenseSet<const Instruction *> Turns; // instructions of the loop
  std::optional<ThreadVariation> Variations; // of its row, computed on demand
  std::vector<Taken> All;
  Value *First = nullptr, *Last = nullptr, *Distance = nullptr; // 0, Count - 1, the same in 64 bits
  Value *Even = nullptr; // no wraparound within the row; null: none is possible
  DenseMap<std::pair<Value *, Value *>, Value *> Copies;
};
} // namespace

// True if a value of the loop can be computed before it, for any thread of the row.
bool InnerLoopTrace::isComputable(const Value *V, unsigned Depth) const {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Turns.contains(I) || I == Inner.X)
    return true;
  if (Depth == Deepest || I->isIntDivRem() ||
      (!isa<BinaryOperator>(I) && !isa<CastInst>(I) && !isa<GetElementPtrInst>(I) && !isa<ICmpInst>(I) &&
       !isa<SelectInst>(I)))
    return false;
  return all_of(I->operands(), [&](const Use &U) { return isComputable(U, Depth + 1); });
}

// The constant distance of a computable value from one thread to the next, if there is one.
std::optional<int64_t> InnerLoopTrace::step(const Value *V) {
  if (!isComputable(V))
    return std::nullopt;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Turns.contains(I))
    return 0;
  if (!Variations)
    Variations.emplace(*Around.getLoopFor(Inner.First), *Inner.X, After, Around);
  return Variations->step(V);
}

// The conditions under which a thread reaches a block of the loop; false: a condition is not understood.
bool InnerLoopTrace::conditionsOf(const BasicBlock *Block, SmallVectorImpl<Condition> &Found) {
  while (Block != Inner.First) {
    const auto *Node = Before.getNode(Block);
    if (!Node || !Node->getIDom() || Around.getLoopFor(Block) != Around.getLoopFor(Inner.First))
      return false;
    const BasicBlock *Above = Node->getIDom()->getBlock();
    if (!After.dominates(Block, Above)) {
      const auto *Branch = dyn_cast<BranchInst>(Above->getTerminator());
      if (!Branch || !Branch->isConditional())
        return false;
      const bool OnTrue = leadsTo(Branch->getSuccessor(0), Block);
      if (!OnTrue && !leadsTo(Branch->getSuccessor(1), Block))
        return false;
      if (!forEachTerm(
              Branch->getCondition(), OnTrue, [](const Value *) { return false; },
              [&](Value *C, bool Wanted) { return addCondition(C, Wanted, Found); }))
        return false;
    }
    Block = Above;
  }
  return true;
}

// True if exactly the threads on this edge reach the block.
bool InnerLoopTrace::leadsTo(const BasicBlock *Way, const BasicBlock *Block) const {
  return Way->getSinglePredecessor() && Before.dominates(Way, Block) && After.dominates(Block, Way);
}

bool InnerLoopTrace::addCondition(Value *C, bool Wanted, SmallVectorImpl<Condition> &Found) {
  Condition New;
  New.Whole = C;
  New.Wanted = Wanted;
  if (step(C) == 0) {
    Found.push_back(New);
    return true;
  }
  auto *Compare = dyn_cast<ICmpInst>(C);
  if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy())
    return false;
  CmpInst::Predicate P = Wanted ? Compare->getPredicate() : Compare->getInversePredicate();
  New.Left = Compare->getOperand(0);
  New.Bound = Compare->getOperand(1);
  if (step(New.Left) == 0) {
    std::swap(New.Left, New.Bound);
    P = CmpInst::getSwappedPredicate(P);
  }
  New.Compare = P;
  if (step(New.Left) != 1 || step(New.Bound) != 0)
    return false;
  Found.push_back(New);
  return true;
}

// Unrolled loops access neighbouring elements one by one.
bool InnerLoopTrace::join(const GlobalAccess &A, const Value *Base, int64_t Offset) {
  for (Taken &T : All) {
    if (T.Base != Base || T.Access.At->getParent() != A.At->getParent() || Offset < T.Low - SectorBytes ||
        Offset > T.High + SectorBytes)
      continue;
    T.Low = std::min(T.Low, Offset);
    T.High = std::max(T.High, Offset);
    T.End = std::max(T.End, Offset + int64_t(A.Bytes));
    return true;
  }
  return false;
}

bool InnerLoopTrace::take(const GlobalAccess &A) {
  if (!A.Bytes || A.Bytes > SectorBytes || !Turns.contains(A.At) || !step(A.Pointer))
    return false;
  APInt Distance(Layout.getIndexTypeSizeInBits(A.Pointer->getType()), 0);
  const Value *Base = A.Pointer->stripAndAccumulateConstantOffsets(Layout, Distance, true);
  const int64_t Offset = Distance.getSExtValue();
  if (join(A, Base, Offset))
    return true;
  Taken New{A, {}, Base, Offset, Offset, Offset, Offset + int64_t(A.Bytes)};
  if (!conditionsOf(A.At->getParent(), New.Conditions))
    return false;
  All.push_back(std::move(New));
  return true;
}

// The start address of the accesses, for another thread of the row.
Value *InnerLoopTrace::start(IRBuilder<> &B, const Taken &T, Value *X) {
  Value *Address = B.CreateAddrSpaceCast(at(B, T.Access.Pointer, X), B.getPtrTy());
  return T.Low == T.Offset ? Address
                           : B.CreateConstGEP1_64(B.getInt8Ty(), Address, uint64_t(T.Low - T.Offset));
}

// A value of the loop for another thread of the row.
Value *InnerLoopTrace::at(IRBuilder<> &B, Value *V, Value *X) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Turns.contains(I))
    return V;
  if (I == Inner.X)
    return X;
  Value *&Known = Copies[{X, V}];
  if (Known)
    return Known;
  Instruction *Copy = I->clone();
  for (Use &U : Copy->operands())
    U = at(B, U, X);
  Copy->dropPoisonGeneratingFlags(); // a thread without this access is possible
  Copy->setDebugLoc(DebugLoc());
  B.Insert(Copy);
  return Copies[{X, V}] = Copy;
}

Value *InnerLoopTrace::wide(IRBuilder<> &B, Value *V, bool IsSigned) {
  return IsSigned ? B.CreateSExt(V, B.getInt64Ty()) : B.CreateZExt(V, B.getInt64Ty());
}

// The threads of a range, [Low, High) in 64 bits, meeting the condition.
RangeBounds InnerLoopTrace::narrowed(IRBuilder<> &B, const Condition &C, RangeBounds From) {
  Value *Zero = B.getInt64(0), *One = B.getInt64(1);
  if (!C.Left) {
    Value *Met = at(B, C.Whole, First);
    From.High = B.CreateSelect(C.Wanted ? Met : B.CreateNot(Met), From.High, Zero);
    return From;
  }
  const bool IsSigned = !CmpInst::isUnsigned(C.Compare); // equality has no sign
  Value *Start = wide(B, at(B, C.Left, First), IsSigned), *End = wide(B, at(B, C.Left, Last), IsSigned);
  Value *Bound = wide(B, at(B, C.Bound, First), IsSigned);
  require(B, B.CreateICmpEQ(B.CreateSub(End, Start), Distance));
  if (C.Left->getType()->isIntegerTy(64)) { // the difference of wrapped numbers is the same
    require(B, B.CreateICmpSGE(End, Start));
    if (!IsSigned) // the sums below are signed
      require(B, B.CreateICmpSGE(B.CreateBinaryIntrinsic(Intrinsic::smin, Start, Bound), Zero));
  }
  Value *Equal = B.CreateBinaryIntrinsic(Intrinsic::ssub_sat, Bound, Start); // the thread with Left == Bound
  Value *Behind = B.CreateBinaryIntrinsic(Intrinsic::sadd_sat, Equal, One);
  auto Raise = [&](Value *Low) { From.Low = B.CreateBinaryIntrinsic(Intrinsic::smax, From.Low, Low); };
  auto Lower = [&](Value *High) { From.High = B.CreateBinaryIntrinsic(Intrinsic::smin, From.High, High); };
  switch (C.Compare) {
  case CmpInst::ICMP_EQ:
    Raise(Equal);
    Lower(Behind);
    break;
  case CmpInst::ICMP_NE: { // all but one thread are a range if it is the first, the last, or of no row
    Value *IsFirst = B.CreateICmpEQ(Equal, Zero), *IsLast = B.CreateICmpEQ(Equal, Distance);
    require(B, B.CreateOr(B.CreateOr(IsFirst, IsLast), B.CreateICmpUGT(Equal, Distance)));
    Raise(B.CreateZExt(IsFirst, B.getInt64Ty()));
    Lower(B.CreateSelect(B.CreateAnd(IsLast, B.CreateNot(IsFirst)), Distance, From.High));
    break;
  }
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_SLT:
    Lower(Equal);
    break;
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_SLE:
    Lower(Behind);
    break;
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SGE:
    Raise(Equal);
    break;
  default: // greater
    Raise(Behind);
  }
  return From;
}

void InnerLoopTrace::require(IRBuilder<> &B, Value *Holds) { Even = Even ? B.CreateAnd(Even, Holds) : Holds; }

// The fallback for a row with integer wraparound, without a constant step: records each thread by itself.
void InnerLoopTrace::markEach(Instruction *Before) {
  BasicBlock *Turn = SplitBlock(Before->getParent(), Before);
  BasicBlock *Above = Turn->getSinglePredecessor();
  IRBuilder<> B(Turn, Turn->begin());
  PHINode *X = B.CreatePHI(B.getInt32Ty(), 2);
  X->addIncoming(B.getInt32(0), Above);
  B.SetInsertPoint(Before);
  for (const Taken &T : All) {
    Value *Met = B.getTrue();
    for (const Condition &C : T.Conditions) {
      Value *Here = at(B, C.Whole, X);
      Met = B.CreateAnd(Met, C.Wanted ? Here : B.CreateNot(Here));
    }
    Value *Bytes = B.CreateSelect(Met, B.getInt64(uint64_t(T.End - T.Low)), B.getInt64(0));
    B.CreateCall(L.entry("__gpuprof_cpu_record_access"), {start(B, T, X), Bytes});
  }
  Value *Next = B.CreateAdd(X, B.getInt32(1));
  BasicBlock *Done = SplitBlock(Turn, Before);
  Turn->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Turn);
  X->addIncoming(Next, Turn);
  B.CreateCondBr(B.CreateICmpULT(Next, Inner.Count), Turn, Done);
}

// A short conditional loop without remaining accesses to record.
bool InnerLoopTrace::isShort(ArrayRef<GlobalAccess> Left) const {
  constexpr size_t Short = 96; // instructions
  const Loop *Own = Around.getLoopFor(Inner.First);
  return Own && Own->isInnermost() && Own->getLoopLatch() && Turns.size() <= Short &&
         any_of(All, [](const Taken &T) { return !T.Conditions.empty(); }) &&
         none_of(Left, [&](const GlobalAccess &A) { return Turns.contains(A.At); });
}

// Adds a second copy of the loop, for rows with all threads meeting the conditions. Masked vector stores are
// slow on processors.
void InnerLoopTrace::addWholeRow(Instruction *End, Value *AllIn) {
  const Loop *Own = Around.getLoopFor(Inner.First);
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *> Copies;
  for (BasicBlock *Block : Own->blocks()) {
    Copies.push_back(CloneBasicBlock(Block, Map, ".whole", Block->getParent()));
    Map[Block] = Copies.back();
  }
  for (BasicBlock *Block : Copies)
    for (Instruction &I : *Block)
      RemapInstruction(&I, Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  for (const Taken &T : All)
    for (const Condition &C : T.Conditions)
      // A map follows replacements: for the second condition it already has the constant.
      if (auto *Copy = dyn_cast_or_null<Instruction>(Map.lookup(C.Whole)))
        Copy->replaceAllUsesWith(ConstantInt::getBool(Copy->getContext(), C.Wanted));
  Instruction *Latch = cast<BasicBlock>(Map.lookup(Own->getLoopLatch()))->getTerminator();
  if (MDNode *Old = Latch->getMetadata(LLVMContext::MD_loop)) {
    MDNode *New =
        MDNode::getDistinct(Latch->getContext(), SmallVector<Metadata *>(Old->op_begin(), Old->op_end()));
    New->replaceOperandWith(0, New);
    Latch->setMetadata(LLVMContext::MD_loop, New);
  }
  IRBuilder<>(End).CreateCondBr(AllIn, cast<BasicBlock>(Map.lookup(Inner.First)), Inner.First);
  End->eraseFromParent();
}

void InnerLoopTrace::emit(ArrayRef<GlobalAccess> Left) {
  if (All.empty())
    return;
  Instruction *End = Inner.Before->getTerminator();
  IRBuilder<> B(End);
  First = B.getInt32(0);
  Last = B.CreateSub(Inner.Count, B.getInt32(1));
  Distance = B.CreateZExt(Last, B.getInt64Ty());
  SmallVector<std::array<Value *, 4>> Calls;
  Value *AllIn = B.getTrue();
  for (const Taken &T : All) {
    RangeBounds In{B.getInt64(0), B.CreateZExt(Inner.Count, B.getInt64Ty())};
    for (const Condition &C : T.Conditions)
      In = narrowed(B, C, In);
    Value *Count = B.CreateBinaryIntrinsic(Intrinsic::smax, B.CreateSub(In.High, In.Low), B.getInt64(0));
    AllIn = B.CreateAnd(AllIn, B.CreateICmpUGT(Count, Distance));
    const int64_t Step = *step(T.Access.Pointer);
    Value *Start = at(B, T.Access.Pointer, First);
    if (Step) {
      Value *Moved = B.CreateSub(B.CreatePtrToInt(at(B, T.Access.Pointer, Last), B.getInt64Ty()),
                                 B.CreatePtrToInt(Start, B.getInt64Ty()));
      require(B, B.CreateICmpEQ(Moved, B.CreateMul(Distance, B.getInt64(Step))));
    }
    Value *From = start(B, T, First);
    if (In.Low != B.getInt64(0))
      From = B.CreateGEP(B.getInt8Ty(), From, B.CreateMul(In.Low, B.getInt64(Step)));
    Calls.push_back({From, B.getInt64(Step), Count, B.getInt64(uint64_t(T.End - T.Low))});
  }
  Instruction *Whole = End, *Each = nullptr;
  if (Even)
    SplitBlockAndInsertIfThenElse(Even, End, &Whole, &Each,
                                  MDBuilder(End->getContext()).createBranchWeights(1u << 20, 1));
  B.SetInsertPoint(Whole);
  CallsOfRows += Calls.size();
  for (const auto &Arguments : Calls)
    B.CreateCall(L.entry("__gpuprof_cpu_record_row"), Arguments);
  if (Each)
    markEach(Each);
  if (!isShort(Left))
    return;
  ++LoopsForWholeRows;
  B.SetInsertPoint(End);
  addWholeRow(End, Even ? B.CreateAnd(AllIn, Even) : AllIn);
}

InnerLoopTrace::InnerLoopTrace(Lowering &L, const InnerLoop &Inner, const DominatorTree &Before,
                   const PostDominatorTree &After, const LoopInfo &Around)
    : L(L), Inner(Inner), Before(Before), After(After), Around(Around), Layout(L.M.getDataLayout()) {
  if (const Loop *Own = Around.getLoopFor(Inner.First))
    for (BasicBlock *Block : Own->blocks())
      for (Instruction &I : *Block)
        Turns.insert(&I);
}

static void recordInnerLoops(Lowering &L, Kernel &K) {
  Function &F = *K.Body;
  std::vector<InnerLoopTrace> Traces;
  Traces.reserve(K.Loops.size());
  const DominatorTree Before(F);
  const PostDominatorTree After(F);
  const LoopInfo Loops(Before);
  for (const InnerLoop &Inner : K.Loops)
    Traces.emplace_back(L, Inner, Before, After, Loops);
  for (const GlobalAccess &A : distinctAccesses(L, F)) {
    if (!K.Accesses.contains(A.At))
      continue;
    if (any_of(Traces, [&](InnerLoopTrace &T) { return T.take(A); })) {
      ++AccessesOfRows;
      continue;
    }
    ++AccessesLeft;
    LLVM_DEBUG(dbgs() << F.getName() << ": not recorded for a row: " << *A.At << "\n");
    K.Unrecorded.push_back(A);
  }
  for (InnerLoopTrace &T : Traces)
    T.emit(K.Unrecorded);
}

void recordInnerLoops(Lowering &L) {
  for (Kernel &K : L.Kernels)
    recordInnerLoops(L, K);
}
} // namespace gpuprof::cpu
