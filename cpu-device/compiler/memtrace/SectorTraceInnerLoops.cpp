// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memtrace/SectorTraceInnerLoops.h"
#include "module/GlobalAccesses.h"
#include "module/InnerLoop.h"
#include "module/Lowering.h"
#include "workitem/MergedBlocks.h"
#include "workitem/ThreadRanges.h"
#include "workitem/ThreadState.h"
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
#include <deque>

#define DEBUG_TYPE "gpuprof-cpu-sectors-of-rows"

using namespace llvm;

STATISTIC(AccessesOfRows, "Number of accesses recorded once for a row of threads");
STATISTIC(AccessesOfPlanes, "Number of accesses recorded once for a plane of threads");
STATISTIC(AccessesLeft, "Number of accesses of kernels not recorded for a row");
STATISTIC(CallsOfRows, "Number of calls that record accesses of a row or of a plane");
STATISTIC(LoopsForWholeRows, "Number of loops over threads copied for the threads in all ranges");

namespace gpuprof::cpu {
namespace {
constexpr unsigned Deepest = 12;
constexpr int64_t SectorBytes = 32;
// From so many threads on, a row with a few threads outside of its ranges runs in two loops: see useRanges().
constexpr uint64_t LongRange = 64, InsideForOneOutside = 8;

enum { AlongX, AlongY, Directions };

class InnerLoopTrace {
public:
  /// Records once for a row or, with a loop over rows, once for a plane.
  InnerLoopTrace(Lowering &L, const InnerLoop &Inner, bool OfPlane, const DominatorTree &Before,
                 const PostDominatorTree &After, const LoopInfo &Around);
  /// Tries to record the access. True: emit() will mark its sectors.
  bool take(const GlobalAccess &A);
  /// Call it once, after all traces have tried their accesses, with those of the loop that are left. The analyses are
  /// invalid afterwards.
  void emit(ArrayRef<GlobalAccess> Left);
  /// The copy of the loop that emit() made for the threads in all ranges.
  const std::optional<InnerLoop> &unconditional() const { return Unconditional; }
  /// emit() will record some accesses for several blocks at a time.
  bool recordsRuns() const {
    return any_of(All, [](const Taken &T) { return T.IsOfGrid; });
  }

private:
  // A comparison of Left, which rises by one from thread to thread along one direction, with Bound. Without Left, a
  // condition uniform in all directions.
  struct Condition {
    Value *Whole = nullptr;
    bool Wanted = true;
    unsigned Along = AlongX;
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
    bool IsOfGrid = false; // the first of several blocks records those of all
  };
  // One direction of the threads.
  struct Direction {
    const Loop *Threads = nullptr;
    const PHINode *Counter = nullptr;
    Value *Count = nullptr;
    std::optional<ThreadVariation> Variations;                    // along it, computed on demand
    Value *First = nullptr, *Last = nullptr, *Distance = nullptr; // 0, Count - 1, the same in 64 bits
  };
  using Point = std::pair<Value *, Value *>; // a thread: its numbers along x and y
  using Box = std::array<RangeBounds, Directions>;
  bool join(const GlobalAccess &A, const Value *Base, int64_t Offset);
  Value *start(IRBuilder<> &B, const Taken &T, Point Thread);
  bool isComputable(const Value *V, unsigned Depth = 0) const;
  Variation along(const Value *V, unsigned N);
  std::optional<int64_t> step(const Value *V, unsigned N);
  bool rises(const Value *V, const Value *Bound, unsigned N);
  bool isUniform(const Value *V);
  bool conditionsOf(const BasicBlock *Block, SmallVectorImpl<Condition> &Found);
  bool leadsTo(const BasicBlock *Way, const BasicBlock *Block) const;
  bool addCondition(Value *C, bool Wanted, SmallVectorImpl<Condition> &Found);
  Value *at(IRBuilder<> &B, Value *V, Point Thread);
  Value *number(IRBuilder<> &B, Value *Pointer, Point Thread);
  Value *wide(IRBuilder<> &B, Value *V, bool IsSigned);
  void narrow(IRBuilder<> &B, const Condition &C, Box &From);
  void require(IRBuilder<> &B, Value *Holds);
  Value *stepAlongY(IRBuilder<> &B, const Taken &T, int64_t Step);
  bool runsInEachBlock() const;
  bool isOfGrid(const Taken &T);
  void setThreads(IRBuilder<> &B, Value *CountX);
  Box record(Instruction *End, bool OfRuns);
  void recordRuns(Instruction *End);
  void markEach(Instruction *Before, bool OfRuns);
  bool isShort(ArrayRef<GlobalAccess> Left) const;
  bool isConditionalAlong(unsigned N) const;
  BasicBlock *copyLoop(ValueToValueMapTy &Map, const Twine &Suffix) const;
  void addUnconditional(Instruction *End, Value *IsUsed, const RangeBounds &Inside);
  void addOthers(Instruction &End, const RangeBounds &Inside);
  Value *useRanges(IRBuilder<> &B, const RangeBounds &Inside);

  Lowering &L;
  const InnerLoop &Inner;
  const DominatorTree &Before;
  const PostDominatorTree &After;
  const LoopInfo &Around;
  const DataLayout &Layout;
  DenseSet<const Instruction *> Turns;   // instructions of the outermost loop
  SmallVector<Direction, Directions> Of; // x, and y of a plane
  std::vector<Taken> All;
  GridValues Grid;
  const bool IsInEachBlock;
  Point First;           // the first thread
  std::optional<InnerLoop> Unconditional;
  Value *Even = nullptr; // no wraparound within the row or plane; null: none is possible
  DenseMap<std::pair<Point, Value *>, Value *> Copies;
};
} // namespace

// True if a value of the loop can be computed before it, for any thread of the row.
bool InnerLoopTrace::isComputable(const Value *V, unsigned Depth) const {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Turns.contains(I) || any_of(Of, [&](const Direction &D) { return D.Counter == I; }))
    return true;
  if (Depth == Deepest || I->isIntDivRem() ||
      (!isa<BinaryOperator>(I) && !isa<CastInst>(I) && !isa<GetElementPtrInst>(I) && !isa<ICmpInst>(I) &&
       !isa<SelectInst>(I)))
    return false;
  return all_of(I->operands(), [&](const Use &U) { return isComputable(U, Depth + 1); });
}

// How a computable value varies along a direction.
Variation InnerLoopTrace::along(const Value *V, unsigned N) {
  if (!isComputable(V))
    return {Variation::Varying};
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Turns.contains(I))
    return {Variation::Uniform};
  Direction &D = Of[N];
  if (!D.Variations)
    D.Variations.emplace(*D.Threads, *D.Counter, After, Around);
  return D.Variations->of(V);
}

// Its constant distance from one thread to the next, if there is one.
std::optional<int64_t> InnerLoopTrace::step(const Value *V, unsigned N) {
  const Variation Varies = along(V, N);
  if (Varies.Is == Variation::Uniform || Varies.Is == Variation::Affine)
    return Varies.Step;
  return std::nullopt;
}

bool InnerLoopTrace::isUniform(const Value *V) {
  for (unsigned N = 0; N != Of.size(); ++N)
    if (step(V, N) != 0)
      return false;
  return true;
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
  if (isUniform(C)) {
    Found.push_back(New);
    return true;
  }
  auto *Compare = dyn_cast<ICmpInst>(C);
  if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy())
    return false;
  CmpInst::Predicate P = Wanted ? Compare->getPredicate() : Compare->getInversePredicate();
  New.Left = Compare->getOperand(0);
  New.Bound = Compare->getOperand(1);
  if (isUniform(New.Left)) {
    std::swap(New.Left, New.Bound);
    P = CmpInst::getSwappedPredicate(P);
  }
  New.Compare = P;
  for (New.Along = 0; New.Along != Of.size(); ++New.Along)
    if (rises(New.Left, New.Bound, New.Along)) {
      Found.push_back(New);
      return true;
    }
  return false;
}

// The value rises by one along this direction alone, and the bound is uniform.
bool InnerLoopTrace::rises(const Value *V, const Value *Bound, unsigned N) {
  for (unsigned Other = 0; Other != Of.size(); ++Other)
    if (step(V, Other) != (Other == N))
      return false;
  return isUniform(Bound);
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
  if (!A.Bytes || A.Bytes > SectorBytes || !Turns.contains(A.At) || !step(A.Pointer, AlongX) ||
      (Of.size() > 1 && along(A.Pointer, AlongY).Is > Variation::Strided))
    return false;
  APInt Distance(Layout.getIndexTypeSizeInBits(A.Pointer->getType()), 0);
  const Value *Base = A.Pointer->stripAndAccumulateConstantOffsets(Layout, Distance, true);
  const int64_t Offset = Distance.getSExtValue();
  if (join(A, Base, Offset))
    return true;
  Taken New{A, {}, Base, Offset, Offset, Offset, Offset + int64_t(A.Bytes)};
  if (!conditionsOf(A.At->getParent(), New.Conditions))
    return false;
  New.IsOfGrid = IsInEachBlock && isOfGrid(New);
  All.push_back(std::move(New));
  return true;
}

// The start address of the accesses, for another thread.
Value *InnerLoopTrace::start(IRBuilder<> &B, const Taken &T, Point Thread) {
  Value *Address = B.CreateAddrSpaceCast(at(B, T.Access.Pointer, Thread), B.getPtrTy());
  return T.Low == T.Offset ? Address
                           : B.CreateConstGEP1_64(B.getInt8Ty(), Address, uint64_t(T.Low - T.Offset));
}

// A value of the loop for another thread.
Value *InnerLoopTrace::at(IRBuilder<> &B, Value *V, Point Thread) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Turns.contains(I))
    return V;
  for (unsigned N = 0; N != Of.size(); ++N)
    if (I == Of[N].Counter)
      return N == AlongX ? Thread.first : Thread.second;
  Value *&Known = Copies[{Thread, V}];
  if (Known)
    return Known;
  Instruction *Copy = I->clone();
  for (Use &U : Copy->operands())
    U = at(B, U, Thread);
  Copy->dropPoisonGeneratingFlags(); // a thread without this access is possible
  Copy->setDebugLoc(DebugLoc());
  B.Insert(Copy);
  return Copies[{Thread, V}] = Copy;
}

// An address as a number.
Value *InnerLoopTrace::number(IRBuilder<> &B, Value *Pointer, Point Thread) {
  return B.CreatePtrToInt(at(B, Pointer, Thread), B.getInt64Ty());
}

Value *InnerLoopTrace::wide(IRBuilder<> &B, Value *V, bool IsSigned) {
  return IsSigned ? B.CreateSExt(V, B.getInt64Ty()) : B.CreateZExt(V, B.getInt64Ty());
}

// Leaves the threads meeting the condition: those of a range, [Low, High) in 64 bits, along one direction.
void InnerLoopTrace::narrow(IRBuilder<> &B, const Condition &C, Box &All) {
  Value *Zero = B.getInt64(0), *One = B.getInt64(1);
  RangeBounds &From = All[C.Along];
  if (!C.Left) {
    Value *Met = at(B, C.Whole, First);
    From.High = B.CreateSelect(C.Wanted ? Met : B.CreateNot(Met), From.High, Zero);
    return;
  }
  const Direction &D = Of[C.Along];
  const Point End = C.Along == AlongX ? Point{D.Last, First.second} : Point{First.first, D.Last};
  const bool IsSigned = !CmpInst::isUnsigned(C.Compare); // equality has no sign
  Value *Lowest = wide(B, at(B, C.Left, First), IsSigned), *Highest = wide(B, at(B, C.Left, End), IsSigned);
  Value *Bound = wide(B, at(B, C.Bound, First), IsSigned), *Distance = D.Distance;
  require(B, B.CreateICmpEQ(B.CreateSub(Highest, Lowest), Distance));
  if (C.Left->getType()->isIntegerTy(64)) { // the difference of wrapped numbers is the same
    require(B, B.CreateICmpSGE(Highest, Lowest));
    if (!IsSigned) // the sums below are signed
      require(B, B.CreateICmpSGE(B.CreateBinaryIntrinsic(Intrinsic::smin, Lowest, Bound), Zero));
  }
  Value *Equal = B.CreateBinaryIntrinsic(Intrinsic::ssub_sat, Bound, Lowest); // the thread with Left == Bound
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
}

void InnerLoopTrace::require(IRBuilder<> &B, Value *Holds) { Even = Even ? B.CreateAnd(Even, Holds) : Holds; }

// The distance of an access from one row to the next. It is as constant as the one along x if nothing wraps around
// between the first thread of the first row and the last thread of the last one.
Value *InnerLoopTrace::stepAlongY(IRBuilder<> &B, const Taken &T, int64_t StepX) {
  Value *Pointer = T.Access.Pointer;
  const Variation Varies = along(Pointer, AlongY);
  if (Varies.Is == Variation::Uniform)
    return B.getInt64(0);
  const Point Next = {First.first, B.getInt32(1)}, LastRow = {First.first, Of[AlongY].Last};
  Value *Start = number(B, Pointer, First), *Below = number(B, Pointer, LastRow);
  Value *Step = Varies.Is == Variation::Affine ? static_cast<Value *>(B.getInt64(uint64_t(Varies.Step)))
                                               : B.CreateSub(number(B, Pointer, Next), Start);
  require(B, B.CreateICmpEQ(B.CreateSub(Below, Start), B.CreateMul(Of[AlongY].Distance, Step)));
  if (StepX) {
    Value *End = number(B, Pointer, {Of[AlongX].Last, Of[AlongY].Last});
    require(B, B.CreateICmpEQ(B.CreateSub(End, Below),
                              B.CreateMul(Of[AlongX].Distance, B.getInt64(uint64_t(StepX)))));
  }
  return Step;
}

// The fallback for integer wraparound, without a constant step: records each thread by itself.
void InnerLoopTrace::markEach(Instruction *Before, bool OfRuns) {
  BasicBlock *Turn = SplitBlock(Before->getParent(), Before);
  BasicBlock *Above = Turn->getSinglePredecessor();
  IRBuilder<> B(Above->getTerminator());
  Value *Threads = Of[AlongX].Count;
  if (Of.size() > 1)
    Threads = B.CreateMul(Threads, Of[AlongY].Count);
  B.SetInsertPoint(Turn, Turn->begin());
  PHINode *Number = B.CreatePHI(B.getInt32Ty(), 2);
  Number->addIncoming(B.getInt32(0), Above);
  B.SetInsertPoint(Before);
  Point Thread = {Number, nullptr};
  if (Of.size() > 1)
    Thread = {B.CreateURem(Number, Of[AlongX].Count), B.CreateUDiv(Number, Of[AlongX].Count)};
  for (const Taken &T : All) {
    if (T.IsOfGrid != OfRuns)
      continue;
    Value *Met = B.getTrue();
    for (const Condition &C : T.Conditions) {
      Value *Here = at(B, C.Whole, Thread);
      Met = B.CreateAnd(Met, C.Wanted ? Here : B.CreateNot(Here));
    }
    Value *Bytes = B.CreateSelect(Met, B.getInt64(uint64_t(T.End - T.Low)), B.getInt64(0));
    B.CreateCall(L.entry("__gpuprof_cpu_record_access"), {start(B, T, Thread), Bytes});
  }
  Value *Next = B.CreateAdd(Number, B.getInt32(1));
  BasicBlock *Done = SplitBlock(Turn, Before);
  Turn->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Turn);
  Number->addIncoming(Next, Turn);
  B.CreateCondBr(B.CreateICmpULT(Next, Threads), Turn, Done);
}

// A short conditional loop of many threads, without remaining accesses to record.
bool InnerLoopTrace::isShort(ArrayRef<GlobalAccess> Left) const {
  constexpr size_t Short = 160; // instructions
  const Loop *Own = Of[AlongX].Threads;
  if (Inner.IsOfFew || !Own->isInnermost() || Own->getExitingBlock() != Own->getLoopLatch() ||
      Turns.size() > Short)
    return false;
  return any_of(All, [](const Taken &T) { return !T.Conditions.empty(); }) &&
         none_of(Left, [&](const GlobalAccess &A) { return Turns.contains(A.At); });
}

bool InnerLoopTrace::isConditionalAlong(unsigned N) const {
  return any_of(All, [&](const Taken &T) {
    return any_of(T.Conditions, [&](const Condition &C) { return C.Left && C.Along == N; });
  });
}

// Returns the header of the copy.
BasicBlock *InnerLoopTrace::copyLoop(ValueToValueMapTy &Map, const Twine &Suffix) const {
  SmallVector<BasicBlock *> Copies;
  for (BasicBlock *Block : Of[AlongX].Threads->blocks()) {
    Copies.push_back(CloneBasicBlock(Block, Map, Suffix, Block->getParent()));
    Map[Block] = Copies.back();
  }
  for (BasicBlock *Block : Copies)
    for (Instruction &I : *Block)
      RemapInstruction(&I, Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  return cast<BasicBlock>(Map.lookup(Inner.First));
}

static void setLoopProperties(Instruction &Latch, ArrayRef<Metadata *> Properties) {
  SmallVector<Metadata *> Operands{nullptr};
  Operands.append(Properties.begin(), Properties.end());
  MDNode *New = MDNode::getDistinct(Latch.getContext(), Operands);
  New->replaceOperandWith(0, New);
  Latch.setMetadata(LLVMContext::MD_loop, New);
}

// True if a loop without conditions runs for the threads in all ranges: all of a row, or most of a long one.
Value *InnerLoopTrace::useRanges(IRBuilder<> &B, const RangeBounds &Inside) {
  Value *Count = B.CreateSub(Inside.High, Inside.Low);
  Value *Others = B.CreateSub(B.CreateZExt(Of[AlongX].Count, B.getInt64Ty()), Count),
        *None = B.CreateIsNull(Others);
  if (!isConditionalAlong(AlongX))
    return None;
  Value *IsLong = B.CreateICmpSGE(Count, B.getInt64(LongRange));
  Value *AreFew = B.CreateICmpSLE(B.CreateMul(Others, B.getInt64(InsideForOneOutside)), Count);
  return B.CreateOr(None, B.CreateAnd(IsLong, AreFew));
}

// Adds a copy of the loop for the threads that meet the conditions: masked vector stores are slow on processors.
void InnerLoopTrace::addUnconditional(Instruction *End, Value *IsUsed, const RangeBounds &Inside) {
  ValueToValueMapTy Map;
  BasicBlock *Header = copyLoop(Map, ".whole");
  for (const Taken &T : All)
    for (const Condition &C : T.Conditions)
      // A map follows replacements: for the second condition it already has the constant.
      if (auto *Copy = dyn_cast_or_null<Instruction>(Map.lookup(C.Whole)))
        Copy->replaceAllUsesWith(ConstantInt::getBool(Copy->getContext(), C.Wanted));
  Instruction *Latch = cast<BasicBlock>(Map.lookup(Of[AlongX].Threads->getLoopLatch()))->getTerminator();
  if (const MDNode *Old = Latch->getMetadata(LLVMContext::MD_loop))
    setLoopProperties(*Latch, SmallVector<Metadata *>(drop_begin(Old->operands())));
  Unconditional = Inner;
  Unconditional->First = Header;
  Unconditional->X = cast<PHINode>(Map.lookup(Inner.X));
  IRBuilder<> B(End);
  if (isConditionalAlong(AlongX)) { // its counter starts at 0
    PHINode *X = Unconditional->X;
    auto *Test = cast<ICmpInst>(cast<BranchInst>(Latch)->getCondition());
    Value *Low = B.CreateTrunc(Inside.Low, B.getInt32Ty());
    Unconditional->Count = B.CreateTrunc(B.CreateSub(Inside.High, Inside.Low), B.getInt32Ty());
    Test->setOperand(1, Unconditional->Count);
    if (Low != B.getInt32(0)) {
      IRBuilder<> InLoop(&*Header->getFirstInsertionPt());
      auto *Moved = cast<Instruction>(InLoop.CreateAdd(X, Low, "", true, true));
      X->replaceUsesWithIf(
          Moved, [&](Use &U) { return U.getUser() != Moved && U.getUser() != Test->getOperand(0); });
    }
  }
  B.CreateCondBr(IsUsed, Header, Inner.First);
  End->eraseFromParent();
  if (isConditionalAlong(AlongX))
    addOthers(*Latch, Inside);
}

// Behind the copy for the threads that meet the conditions: for (x = 0; x != count; x = x + 1 == low ? high : x + 1).
// They are few, so no vectors.
void InnerLoopTrace::addOthers(Instruction &End, const RangeBounds &Inside) {
  const Loop *Own = Of[AlongX].Threads;
  BasicBlock *Exit = Own->getExitBlock();
  ValueToValueMapTy Map;
  BasicBlock *Header = copyLoop(Map, ".others");
  BasicBlock *Between = BasicBlock::Create(Header->getContext(), "others", Header->getParent(), Header);
  End.replaceSuccessorWith(Exit, Between);
  IRBuilder<> B(Between);
  Value *Low = B.CreateTrunc(Inside.Low, B.getInt32Ty()), *High = B.CreateTrunc(Inside.High, B.getInt32Ty());
  Value *Start = B.CreateSelect(B.CreateIsNull(Low), High, B.getInt32(0));
  B.CreateCondBr(B.CreateICmpEQ(Start, Inner.Count), Exit, Header);
  auto *Latch = cast<BranchInst>(cast<BasicBlock>(Map.lookup(Own->getLoopLatch()))->getTerminator());
  auto *Test = cast<ICmpInst>(Latch->getCondition());
  auto *X = cast<PHINode>(Map.lookup(Inner.X));
  B.SetInsertPoint(Test);
  Value *Next = B.CreateSelect(B.CreateICmpEQ(Test->getOperand(0), Low), High, Test->getOperand(0));
  Test->setOperand(0, Next);
  X->setIncomingValueForBlock(Latch->getParent(), Next);
  const unsigned Entry = X->getIncomingBlock(0) == Latch->getParent();
  X->setIncomingBlock(Entry, Between);
  X->setIncomingValue(Entry, Start);
  LLVMContext &C = Header->getContext();
  Metadata *NoVectors[] = {MDString::get(C, "llvm.loop.vectorize.enable"),
                           ConstantAsMetadata::get(B.getFalse())};
  setLoopProperties(
      *Latch, {MDNode::get(C, NoVectors), MDNode::get(C, {MDString::get(C, "llvm.loop.unroll.disable")})});
}

// True if all blocks run the whole loop once: with all threads along x, and in no other loop or branch.
bool InnerLoopTrace::runsInEachBlock() const {
  const BasicBlock *Outermost = Inner.BeforePlane;
  const Function &F = *Outermost->getParent();
  const auto *Count = dyn_cast<Instruction>(Inner.Count);
  const StateLoad Of = Count ? stateLoad(*Count, *F.getArg(0)) : StateLoad();
  const Loop *Layers = Around.getLoopFor(Outermost);
  return Of.Is && Of.Which == Field::ntid_x && Layers && !Layers->getParentLoop() &&
         After.dominates(Outermost, &F.getEntryBlock());
}

bool InnerLoopTrace::isOfGrid(const Taken &T) {
  return Grid.isOfGrid(T.Access.Pointer) &&
         all_of(T.Conditions, [&](const Condition &C) { return Grid.isOfGrid(C.Whole); });
}

void InnerLoopTrace::setThreads(IRBuilder<> &B, Value *CountX) {
  Of[AlongX].Count = CountX;
  for (Direction &D : Of) {
    D.First = B.getInt32(0);
    D.Last = B.CreateSub(D.Count, B.getInt32(1));
    D.Distance = B.CreateZExt(D.Last, B.getInt64Ty());
  }
  First = {Of[AlongX].First, Of.size() > 1 ? Of[AlongY].First : nullptr};
  Copies.clear();
  Even = nullptr;
}

// Emits calls for the accesses of blocks, or for those of runs. Returns the threads in all ranges.
InnerLoopTrace::Box InnerLoopTrace::record(Instruction *End, bool OfRuns) {
  const bool OfPlane = Of.size() > 1;
  IRBuilder<> B(End);
  Box Whole;
  for (unsigned N = 0; N != Of.size(); ++N)
    Whole[N] = {B.getInt64(0), B.CreateZExt(Of[N].Count, B.getInt64Ty())};
  SmallVector<SmallVector<Value *, 6>> Calls;
  Box Inside = Whole;
  for (const Taken &T : All) {
    if (OfRuns && !T.IsOfGrid)
      continue;
    Box In = Whole;
    for (const Condition &C : T.Conditions)
      narrow(B, C, In);
    for (unsigned N = 0; N != Of.size(); ++N) {
      if (In[N].Low != Whole[N].Low)
        Inside[N].Low = B.CreateBinaryIntrinsic(Intrinsic::smax, Inside[N].Low, In[N].Low);
      if (In[N].High != Whole[N].High)
        Inside[N].High = B.CreateBinaryIntrinsic(Intrinsic::smin, Inside[N].High, In[N].High);
    }
    if (T.IsOfGrid != OfRuns)
      continue;
    auto CountOf = [&](unsigned N) {
      return B.CreateBinaryIntrinsic(Intrinsic::smax, B.CreateSub(In[N].High, In[N].Low), B.getInt64(0));
    };
    Value *Count = CountOf(AlongX);
    const int64_t Step = *step(T.Access.Pointer, AlongX);
    Value *Start = at(B, T.Access.Pointer, First);
    if (Step) {
      Value *Moved = B.CreateSub(number(B, T.Access.Pointer, {Of[AlongX].Last, First.second}),
                                 B.CreatePtrToInt(Start, B.getInt64Ty()));
      require(B, B.CreateICmpEQ(Moved, B.CreateMul(Of[AlongX].Distance, B.getInt64(uint64_t(Step)))));
    }
    Value *From = start(B, T, First);
    if (In[AlongX].Low != B.getInt64(0))
      From = B.CreateGEP(B.getInt8Ty(), From, B.CreateMul(In[AlongX].Low, B.getInt64(uint64_t(Step))));
    Calls.push_back({From, B.getInt64(uint64_t(Step)), Count, B.getInt64(uint64_t(T.End - T.Low))});
    if (!OfPlane)
      continue;
    Value *StepY = stepAlongY(B, T, Step);
    if (In[AlongY].Low != B.getInt64(0))
      Calls.back()[0] = B.CreateGEP(B.getInt8Ty(), From, B.CreateMul(In[AlongY].Low, StepY));
    Calls.back().append({StepY, CountOf(AlongY)});
  }
  Instruction *InRanges = End, *Each = nullptr;
  if (Even && !Calls.empty())
    SplitBlockAndInsertIfThenElse(Even, End, &InRanges, &Each,
                                  MDBuilder(End->getContext()).createBranchWeights(1u << 20, 1));
  B.SetInsertPoint(InRanges);
  CallsOfRows += Calls.size();
  for (const auto &Arguments : Calls)
    B.CreateCall(L.entry(OfPlane ? "__gpuprof_cpu_record_rows" : "__gpuprof_cpu_record_row"), Arguments);
  if (Each)
    markEach(Each, OfRuns);
  return Inside;
}

// The first of several blocks along x records the accesses of all, as of one long row.
void InnerLoopTrace::recordRuns(Instruction *End) {
  IRBuilder<> B(End);
  Value *Blocks = L.load(B, Field::merged_blocks);
  if (Grid.width()) // in other blocks the sum is no index in the grid
    Blocks = B.CreateSelect(B.CreateICmpEQ(Inner.Count, B.getInt32(Grid.width())), Blocks, B.getInt32(1));
  Instruction *Then = SplitBlockAndInsertIfThen(B.CreateIsNotNull(Blocks), End, false);
  B.SetInsertPoint(Then);
  setThreads(B, B.CreateMul(Inner.Count, Blocks));
  record(Then, true);
}

void InnerLoopTrace::emit(ArrayRef<GlobalAccess> Left) {
  if (All.empty())
    return;
  const bool OfPlane = Of.size() > 1;
  Instruction *End = (OfPlane ? Inner.BeforePlane : Inner.Before)->getTerminator();
  if (recordsRuns())
    recordRuns(End);
  IRBuilder<> B(End);
  setThreads(B, Inner.Count);
  const Box Inside = record(End, false);
  if (!isShort(Left))
    return;
  ++LoopsForWholeRows;
  B.SetInsertPoint(End);
  Value *IsUsed = useRanges(B, Inside[AlongX]);
  if (Even)
    IsUsed = B.CreateAnd(IsUsed, Even);
  if (OfPlane) {
    End = Inner.Before->getTerminator();
    B.SetInsertPoint(End);
    Value *Row = B.CreateZExt(Inner.Row, B.getInt64Ty());
    IsUsed = B.CreateAnd(IsUsed, B.CreateICmpSGE(Row, Inside[AlongY].Low));
    IsUsed = B.CreateAnd(IsUsed, B.CreateICmpSLT(Row, Inside[AlongY].High));
  }
  addUnconditional(End, IsUsed, Inside[AlongX]);
}

InnerLoopTrace::InnerLoopTrace(Lowering &L, const InnerLoop &Inner, bool OfPlane, const DominatorTree &Before,
                               const PostDominatorTree &After, const LoopInfo &Around)
    : L(L), Inner(Inner), Before(Before), After(After), Around(Around), Layout(L.M.getDataLayout()),
      Grid(*Inner.First->getParent()->getArg(0), *Inner.X), IsInEachBlock(runsInEachBlock()) {
  auto Add = [&](const BasicBlock *Header, const PHINode *Counter, Value *Count) {
    Of.emplace_back();
    Of.back().Threads = Around.getLoopFor(Header);
    Of.back().Counter = Counter;
    Of.back().Count = Count;
  };
  Add(Inner.First, Inner.X, Inner.Count);
  if (OfPlane)
    Add(Inner.Before, Inner.Row, Inner.Rows);
  if (const Loop *Outermost = Of.back().Threads)
    for (BasicBlock *Block : Outermost->blocks())
      for (Instruction &I : *Block)
        Turns.insert(&I);
}

// True if threads of several rows differ in more than their number in the block.
static bool usesRows(const InnerLoop &Inner, const LoopInfo &Loops) {
  const Loop *Rows = Loops.getLoopFor(Inner.Before), *Threads = Loops.getLoopFor(Inner.First);
  return Rows && Threads && Rows != Threads &&
         any_of(Inner.Y->users(), [&](const User *U) { return Threads->contains(cast<Instruction>(U)); });
}

static void recordInnerLoops(Lowering &L, Kernel &K) {
  Function &F = *K.Body;
  SmallVector<InnerLoop> Copies;
  std::deque<InnerLoopTrace> Planes, Rows; // they stay in their places
  const DominatorTree Before(F);
  const PostDominatorTree After(F);
  const LoopInfo Loops(Before);
  for (const InnerLoop &Inner : K.Loops) {
    if (usesRows(Inner, Loops))
      Planes.emplace_back(L, Inner, true, Before, After, Loops);
    Rows.emplace_back(L, Inner, false, Before, After, Loops);
  }
  SmallVector<GlobalAccess> OfNoPlane;
  for (const GlobalAccess &A : distinctAccesses(L, F)) {
    if (!K.Accesses.contains(A.At))
      continue;
    if (any_of(Planes, [&](InnerLoopTrace &T) { return T.take(A); }))
      ++AccessesOfPlanes;
    else
      OfNoPlane.push_back(A);
  }
  for (const GlobalAccess &A : OfNoPlane) {
    if (any_of(Rows, [&](InnerLoopTrace &T) { return T.take(A); })) {
      ++AccessesOfRows;
      continue;
    }
    ++AccessesLeft;
    LLVM_DEBUG(dbgs() << F.getName() << ": not recorded for a row: " << *A.At << "\n");
    K.Unrecorded.push_back(A);
  }
  for (const std::deque<InnerLoopTrace> *Which : {&Planes, &Rows})
    K.RecordsRuns |= any_of(*Which, [](const InnerLoopTrace &T) { return T.recordsRuns(); });
  for (InnerLoopTrace &T : Planes)
    T.emit(OfNoPlane);
  for (InnerLoopTrace &T : Rows)
    T.emit(K.Unrecorded);
  for (const std::deque<InnerLoopTrace> *All : {&Planes, &Rows})
    for (const InnerLoopTrace &T : *All)
      if (T.unconditional())
        Copies.push_back(*T.unconditional());
  K.Loops.insert(K.Loops.end(), Copies.begin(), Copies.end()); // the traces are done with the others
}

void recordInnerLoops(Lowering &L) {
  for (Kernel &K : L.Kernels)
    recordInnerLoops(L, K);
}
} // namespace gpuprof::cpu
