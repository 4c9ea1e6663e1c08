// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//   for (first = 0; first < threads; first += 32)
//     if (whole warp) { vectors; lanes are constants } else { the same, missing lanes are 0 }
#include "workitem/WarpRuns.h"
#include "workitem/ConvergentOps.h"
#include "workitem/LaneOperations.h"
#include "workitem/ThreadArray.h"
#include "workitem/ThreadState.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#define DEBUG_TYPE "gpuprof-cpu-work-item-loops"

using namespace llvm;
using namespace llvm::PatternMatch;

STATISTIC(RunsOfShuffles, "Number of runs of shuffles in vectors");
STATISTIC(ShufflesInRuns, "Number of shuffles in such runs");

namespace gpuprof::cpu {
namespace {
constexpr unsigned Warp = 32;
// Limits of a run: a warp's values are several registers each.
constexpr size_t MostShuffles = 64, MostInstructions = 512;
// A value of at most so many operations on the thread's index is computed again.
constexpr unsigned CheapDepth = 6;

// The list of entries of the CPU device has the same order.
enum ShuffleKind : uint64_t { Up, Down, Butterfly, Index };

/* ---- Finding ---- */

// The lanes that a shuffle reads are known here.
bool isKnownShuffle(const Instruction &I) {
  if (convergentOp(I) != ConvergentOp::Shuffle)
    return false;
  const auto &Call = cast<CallInst>(I);
  return isFullWarp(Call) && isa<ConstantInt>(Call.getArgOperand(1)) &&
         isa<ConstantInt>(Call.getArgOperand(4)) && isa<ConstantInt>(Call.getArgOperand(5)) &&
         isElement(Call.getArgOperand(3)->getType());
}

bool isLaneType(const Type *T) { return isElement(T) && !T->isPointerTy(); }

// An operation that the vectors have, without any effect for lanes that are missing.
bool isLaneOperation(const Instruction &I) {
  if (!isLaneType(I.getType()) || I.isIntDivRem() ||
      any_of(I.operands(), [](const Use &U) { return !isa<Function>(U) && !isLaneType(U->getType()); }))
    return false;
  if (const auto *Call = dyn_cast<CallInst>(&I))
    return isLanewise(*Call);
  return isa<BinaryOperator>(I) || isa<UnaryOperator>(I) || isa<CastInst>(I) || isa<CmpInst>(I) ||
         isa<SelectInst>(I) || isa<FreezeInst>(I);
}

// Memory that other threads may see. Counters and the thread's own state are none.
bool touchesMemory(const Instruction &I, const BlockCounts &Counts) {
  if (isa<DbgInfoIntrinsic>(I) || (!I.mayReadOrWriteMemory() && !I.mayHaveSideEffects()))
    return false;
  const Value *Pointer = getLoadStorePointerOperand(&I);
  const Value *Object = Pointer ? getUnderlyingObject(Pointer) : nullptr;
  return !Object || !(Counts.isVariable(Object) || Object == I.getFunction()->getArg(0));
}

class RunFinder {
public:
  RunFinder(Instruction &First, const BlockCounts &Counts) : First(First), Counts(Counts) {}
  // The instructions of the run in their order; few shuffles make none.
  SmallVector<Instruction *> find();

private:
  bool isLater(const Value *V) const;
  bool canCompute(const Instruction &I) const;
  bool isEarly(Instruction *I);
  bool take(Instruction *I);
  bool isWorthIt(const Instruction &I) const;
  void shuffles();
  void results();

  Instruction &First;
  const BlockCounts &Counts;
  SmallSetVector<Instruction *, 32> Run;
  SmallSetVector<Instruction *, 32> Early; // computed ahead of the run
  DenseMap<const Instruction *, bool> Known;
  unsigned Shuffles = 0;
};

// True if the value is computed behind the run's first instruction.
bool RunFinder::isLater(const Value *V) const {
  const auto *I = dyn_cast<Instruction>(V);
  return I && I->getParent() == First.getParent() && (I == &First || First.comesBefore(I));
}

// Computable ahead of the run: without memory, and without its values.
bool RunFinder::isEarly(Instruction *I) {
  if (!isLater(I))
    return true;
  if (auto Found = Known.find(I); Found != Known.end())
    return Found->second;
  bool Is = !isa<PHINode>(I) && convergentOp(*I) == ConvergentOp::None && !I->mayReadOrWriteMemory() &&
            !I->mayHaveSideEffects() && !I->isTerminator();
  Is = Is && all_of(I->operands(), [&](const Use &U) {
         auto *Operand = dyn_cast<Instruction>(U);
         return !Operand || isEarly(Operand);
       });
  return Known[I] = Is;
}

// Takes an instruction and what it needs of those behind the first one. False: something has to stay where it is.
bool RunFinder::take(Instruction *I) {
  SmallSetVector<Instruction *, 16> New, Ahead;
  SmallVector<Instruction *> Work{I};
  while (!Work.empty()) {
    Instruction *Next = Work.pop_back_val();
    if (!isLater(Next) || Run.contains(Next) || New.contains(Next) || Ahead.contains(Next) ||
        Early.contains(Next))
      continue;
    if (isEarly(Next))
      Ahead.insert(Next);
    else if (Next == I || isLaneOperation(*Next))
      New.insert(Next);
    else
      return false;
    for (const Use &U : Next->operands())
      if (auto *Operand = dyn_cast<Instruction>(U))
        Work.push_back(Operand);
  }
  if (Run.size() + New.size() > MostInstructions)
    return false;
  Run.insert(New.begin(), New.end());
  Early.insert(Ahead.begin(), Ahead.end());
  return true;
}

void RunFinder::shuffles() {
  Run.insert(&First);
  Shuffles = 1;
  for (Instruction *I = First.getNextNode(); I && Shuffles < MostShuffles; I = I->getNextNode()) {
    if (touchesMemory(*I, Counts) && convergentOp(*I) == ConvergentOp::None)
      return;
    if (convergentOp(*I) == ConvergentOp::None)
      continue;
    if (!isKnownShuffle(*I) || !take(I))
      return;
    ++Shuffles;
  }
}

// A result in place of others: not more values to keep.
bool RunFinder::isWorthIt(const Instruction &I) const {
  return any_of(I.operands(), [&](const Use &U) {
    const auto *Operand = dyn_cast<Instruction>(U);
    return Operand && Run.contains(const_cast<Instruction *>(Operand)) &&
           all_of(Operand->users(), [&](const User *Of) {
             return Of == &I || Run.contains(cast<Instruction>(const_cast<User *>(Of)));
           });
  });
}

void RunFinder::results() {
  for (Instruction *I = First.getNextNode(); I; I = I->getNextNode())
    if (!Run.contains(I) && isLaneOperation(*I) && !isEarly(I) && isWorthIt(*I))
      take(I);
}

SmallVector<Instruction *> RunFinder::find() {
  shuffles();
  results();
  // One shuffle alone reads consecutive elements; only that of one lane's value would gather.
  const auto Kind = cast<ConstantInt>(cast<CallInst>(First).getArgOperand(1))->getZExtValue();
  if (Shuffles < 2 && Kind != Index)
    return {};
  const auto InOrder = [](const Instruction *A, const Instruction *B) { return A->comesBefore(B); };
  SmallVector<Instruction *> Found(Run.begin(), Run.end()), Ahead(Early.begin(), Early.end());
  sort(Found, InOrder);
  sort(Ahead, InOrder);
  for (Instruction *I : Ahead)
    I->moveBefore(*First.getParent(), First.getIterator());
  for (unsigned N = 1; N != Found.size(); ++N)
    Found[N]->moveBefore(*First.getParent(), std::next(Found[N - 1]->getIterator()));
  ++RunsOfShuffles;
  ShufflesInRuns += Shuffles;
  return Found;
}
} // namespace

WarpRuns::WarpRuns(Function &F, const BlockCounts &Counts) {
  for (BasicBlock &Block : F)
    find(Block, Counts);
}

void WarpRuns::find(BasicBlock &Block, const BlockCounts &Counts) {
  for (Instruction *I = &Block.front(); I; I = I->getNextNode()) {
    if (!isKnownShuffle(*I))
      continue;
    SmallVector<Instruction *> Run = RunFinder(*I, Counts).find();
    if (Run.empty())
      continue;
    for (Instruction *Next : drop_begin(Run))
      Following.insert(Next);
    Instruction *Last = Run.back();
    Runs[I] = std::move(Run);
    I = Last;
  }
}

ArrayRef<Instruction *> WarpRuns::of(const Instruction &First) const {
  auto Found = Runs.find(&First);
  return Found == Runs.end() ? ArrayRef<Instruction *>() : ArrayRef(Found->second);
}

/* ---- Emitting ---- */

namespace {
// The vectors of one warp.
class WarpBody {
public:
  // `Live`: the lanes that take part; null: all, and the row's index of lane 0 is a multiple of 32.
  WarpBody(const ConvergentSite &Site, const WarpRunSite &Block, IRBuilder<> &B, Value *Start, Value *Live)
      : Site(Site), Block(Block), B(B), Start(Start), Live(Live) {}
  void emit(Instruction &I);
  void store(const WarpResult &R);
  /// True if a vector was computed of the place of the warp in its row.
  bool usesRows() const { return UsesRows; }
  static bool isCheap(const WarpRunSite &Block, const Value *V, unsigned Depth = CheapDepth);

private:
  static VectorType *wide(Type *T) { return FixedVectorType::get(T, Warp); }
  Constant *lanes() const;
  Value *vector(Value *V);
  Value *input(Value *V);
  Value *ofState(Field Which);
  Value *shuffle(CallInst &I);
  Value *bits(CallInst &I);
  Value *live(Value *V) { return Live ? B.CreateSelect(Live, V, Constant::getNullValue(V->getType())) : V; }
  Value *linear() { return B.CreateOr(B.CreateVectorSplat(Warp, Start), lanes()); }
  Value *copy(Instruction &I);

  const ConvergentSite &Site;
  const WarpRunSite &Block;
  IRBuilder<> &B;
  Value *Start, *Live;
  DenseMap<const Value *, Value *> Known;
  DenseMap<const Value *, Value *> Moved;     // of shuffles: the values that the lanes read
  DenseMap<const Value *, Constant *> Inside; // of shuffles: the lanes that read another one's value
  // Of words of 32 bits: one half of the elements of a vector, in another order.
  struct Half {
    Value *Of = nullptr; // i64 each
    bool IsHigh = false;
    SmallVector<int, Warp> Lanes;
  };
  void findHalf(const TruncInst &I);
  Value *joined(const Instruction &I);
  DenseMap<const Value *, Half> Halves;
  bool UsesRows = false;
};

Constant *WarpBody::lanes() const {
  SmallVector<uint32_t> Numbers;
  for (unsigned N = 0; N != Warp; ++N)
    Numbers.push_back(N);
  return ConstantDataVector::get(B.getContext(), Numbers);
}

// A few integer operations on the thread's index and uniform numbers.
bool WarpBody::isCheap(const WarpRunSite &Block, const Value *V, unsigned Depth) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Block.Differs(V))
    return true;
  if (const StateLoad Of = stateLoad(*I, Block.State); Of.Is)
    return variesByThread(Of.Which);
  return Depth && I->getType()->isIntegerTy() && isLaneOperation(*I) && !isa<CallInst>(I) &&
         !isa<FreezeInst>(I) && all_of(I->operands(), [&](const Use &U) {
           return U->getType()->isIntegerTy() && isCheap(Block, U, Depth - 1);
         });
}

Value *WarpBody::ofState(Field Which) {
  if (Which == Field::laneid)
    return lanes();
  if (Which == Field::warpid)
    return B.CreateVectorSplat(Warp, B.CreateLShr(Start, Log2_32(Warp)));
  UsesRows = true;
  Value *First = Start, *SizeX = Block.Sizes[2], *SizeY = Block.Sizes[1];
  if (Live) {
    First = linear();
    SizeX = B.CreateVectorSplat(Warp, SizeX);
    SizeY = B.CreateVectorSplat(Warp, SizeY);
  }
  if (Which == Field::tid_x) {
    Value *X = B.CreateURem(First, SizeX);
    if (Live)
      return X;
    X = B.CreateAnd(X, ~uint64_t(Warp - 1) & UINT32_MAX); // it is a multiple of 32, and known as one
    return B.CreateOr(B.CreateVectorSplat(Warp, X), lanes());
  }
  Value *Row = B.CreateUDiv(First, SizeX);
  Row = Which == Field::tid_y ? B.CreateURem(Row, SizeY) : B.CreateUDiv(Row, SizeY);
  return Live ? Row : B.CreateVectorSplat(Warp, Row);
}

// The bits of another value, or some of them: that one is kept.
bool isConversion(const Instruction &I) {
  return isLaneOperation(I) &&
         (isa<BitCastInst>(I) || isa<TruncInst>(I) || match(&I, m_LShr(m_Value(), m_ConstantInt())));
}

// A value from ahead of the run.
Value *WarpBody::input(Value *V) {
  if (isa<Constant>(V) || !Block.Differs(V))
    return B.CreateVectorSplat(Warp, Site.Here(V));
  auto &I = *cast<Instruction>(V);
  if (const StateLoad Of = stateLoad(I, Block.State); Of.Is)
    return ofState(Of.Which);
  if (isCheap(Block, V) || isConversion(I))
    return copy(I);
  AllocaInst *Array = Site.Elements(V);
  assert(Array && "a value that varies has elements");
  Type *T = V->getType();
  const bool IsBit = T->isIntegerTy(1);
  Type *Stored = IsBit ? B.getInt8Ty() : T;
  const Align Own = Site.L.M.getDataLayout().getABITypeAlign(Stored);
  Value *All = B.CreateAlignedLoad(wide(Stored), elementOf(B, Array, Start), Own);
  return IsBit ? B.CreateTrunc(All, wide(T)) : All;
}

Value *WarpBody::vector(Value *V) {
  if (Value *Old = Known.lookup(V))
    return Old;
  if (Inside.count(V)) // a shuffle's value and whether it is another lane's, as one number
    return bits(*cast<CallInst>(V));
  Value *New = input(V);
  return Known[V] = New;
}

// What PTX says of the lanes; c has the clamp in bits 0-4 and the segment mask in bits 8-12.
Value *WarpBody::shuffle(CallInst &I) {
  auto Number = [&](unsigned N) { return cast<ConstantInt>(I.getArgOperand(N))->getZExtValue(); };
  const uint64_t Kind = Number(1), Control = Number(5);
  const int Delta = Number(4) & 31, Clamp = Control & 31, Segment = Control >> 8 & 31;
  Value *Given = live(vector(I.getArgOperand(3)));
  SmallVector<int> From;
  SmallVector<Constant *> Holds;
  for (int Lane = 0; Lane != int(Warp); ++Lane) {
    const int InSegment = Lane & Segment, Last = InSegment | (Clamp & ~Segment);
    const int Source = Kind == Up          ? Lane - Delta
                       : Kind == Down      ? Lane + Delta
                       : Kind == Butterfly ? Lane ^ Delta
                                           : InSegment | (Delta & ~Segment);
    const bool IsInside = Kind == Up ? Source >= Last : Source <= Last;
    From.push_back(IsInside ? Source : Lane);
    Holds.push_back(B.getInt1(IsInside));
  }
  Inside[&I] = ConstantVector::get(Holds);
  if (auto Found = Halves.find(I.getArgOperand(3)); Found != Halves.end() && !Live) {
    Half New = Found->second;
    for (unsigned Lane = 0; Lane != Warp; ++Lane)
      New.Lanes[Lane] = Found->second.Lanes[From[Lane]];
    Halves[&I] = New;
  }
  return B.CreateShuffleVector(Given, From);
}

void WarpBody::emit(Instruction &I) {
  if (convergentOp(I) == ConvergentOp::Shuffle)
    Moved[&I] = shuffle(cast<CallInst>(I));
  else
    Known[&I] = copy(I);
}

void WarpBody::store(const WarpResult &R) {
  Type *Element = R.Array->getAllocatedType()->getArrayElementType();
  Value *All = live(vector(R.Of));
  if (All->getType() != wide(Element))
    All = B.CreateZExt(All, wide(Element));
  B.CreateAlignedStore(All, elementOf(B, R.Array, Start), Site.L.M.getDataLayout().getABITypeAlign(Element));
}

Value *WarpBody::bits(CallInst &I) {
  Type *Long = wide(B.getInt64Ty());
  Value *High = B.CreateShl(B.CreateZExt(Inside.lookup(&I), Long), ConstantInt::get(Long, 32));
  return Known[&I] = B.CreateOr(B.CreateZExt(Moved.lookup(&I), Long), High);
}

void WarpBody::findHalf(const TruncInst &I) {
  Value *Of = I.getOperand(0), *Long = nullptr;
  if (auto Found = Halves.find(Of); Found != Halves.end()) { // of a shuffle
    const Half Same = Found->second;
    Halves[&I] = Same;
    return;
  }
  if (!I.getType()->isIntegerTy(32) || !Of->getType()->isIntegerTy(64) || Moved.count(Of))
    return;
  Half New;
  New.IsHigh = match(Of, m_LShr(m_Value(Long), m_SpecificInt(32)));
  New.Of = vector(New.IsHigh ? Long : Of);
  for (unsigned Lane = 0; Lane != Warp; ++Lane)
    New.Lanes.push_back(int(Lane));
  Halves[&I] = New;
}

// The two words of a double that lanes exchange: its elements move as a whole. Null: something else.
Value *WarpBody::joined(const Instruction &I) {
  Value *Low = nullptr, *High = nullptr;
  if (!match(&I, m_c_Or(m_ZExt(m_Value(Low)), m_Shl(m_ZExt(m_Value(High)), m_SpecificInt(32)))))
    return nullptr;
  auto A = Halves.find(Low), C = Halves.find(High);
  if (A == Halves.end() || C == Halves.end() || A->second.IsHigh || !C->second.IsHigh ||
      A->second.Of != C->second.Of || A->second.Lanes != C->second.Lanes || !I.getType()->isIntegerTy(64))
    return nullptr;
  return B.CreateShuffleVector(A->second.Of, A->second.Lanes);
}

Value *WarpBody::copy(Instruction &I) {
  if (Value *Whole = joined(I))
    return Whole;
  if (const auto *Part = dyn_cast<TruncInst>(&I))
    findHalf(*Part);
  auto Operand = [&](unsigned N) { return vector(I.getOperand(N)); };
  Value *New = nullptr;
  if (isa<BinaryOperator>(I))
    New = B.CreateBinOp(static_cast<Instruction::BinaryOps>(I.getOpcode()), Operand(0), Operand(1));
  else if (isa<UnaryOperator>(I))
    New = B.CreateUnOp(static_cast<Instruction::UnaryOps>(I.getOpcode()), Operand(0));
  else if (Value *Given = isa<TruncInst>(I) ? Moved.lookup(I.getOperand(0)) : nullptr;
           Given && I.getType()->getScalarSizeInBits() <= Given->getType()->getScalarSizeInBits())
    New = B.CreateTrunc(Given, wide(I.getType()));
  else if (const auto *Cast = dyn_cast<CastInst>(&I))
    New = B.CreateCast(Cast->getOpcode(), Operand(0), wide(I.getType()));
  else if (const auto *Compare = dyn_cast<CmpInst>(&I))
    New = B.CreateCmp(Compare->getPredicate(), Operand(0), Operand(1));
  else if (isa<SelectInst>(I))
    New = B.CreateSelect(Operand(0), Operand(1), Operand(2));
  else if (isa<FreezeInst>(I))
    New = B.CreateFreeze(Operand(0));
  else {
    auto &Call = cast<CallInst>(I);
    SmallVector<Value *> Arguments;
    for (Value *V : Call.args())
      Arguments.push_back(vector(V));
    New = B.CreateIntrinsic(Call.getIntrinsicID(), {wide(I.getType())}, Arguments);
  }
  if (auto *Made = dyn_cast<Instruction>(New))
    Made->copyIRFlags(&I);
  return New;
}

// The values used behind the run, each with an array.
SmallVector<WarpResult> resultsOf(const ConvergentSite &Site, ArrayRef<Instruction *> Run) {
  IRBuilder<> B(Run.front());
  const SmallPtrSet<const User *, 32> Inside(Run.begin(), Run.end());
  SmallVector<WarpResult> Results;
  for (Instruction *I : Run) {
    if (all_of(I->users(), [&](const User *U) { return Inside.contains(U); }))
      continue;
    const bool IsBit = I->getType()->isIntegerTy(1);
    Type *Element = IsBit ? B.getInt8Ty() : I->getType();
    AllocaInst *Array = Site.NewArray(Element);
    Instruction *Own = B.CreateLoad(Element, elementOf(B, Array, Site.Loop.Index));
    if (IsBit)
      Own = cast<Instruction>(B.CreateTrunc(Own, I->getType()));
    Results.push_back({I, Own, Array});
  }
  return Results;
}

// The lanes of a warp that take part.
Value *liveLanes(const ConvergentSite &Site, IRBuilder<> &B, Value *Start) {
  SmallVector<Constant *> Numbers;
  for (unsigned N = 0; N != Warp; ++N)
    Numbers.push_back(B.getInt32(N));
  Value *Thread = B.CreateOr(B.CreateVectorSplat(Warp, Start), ConstantVector::get(Numbers));
  Value *Exist = B.CreateICmpULT(Thread, B.CreateVectorSplat(Warp, Site.Threads));
  if (!Site.Mask)
    return Exist;
  BasicBlock *Before = B.GetInsertBlock(), *After = SplitBlock(Before, Before->getTerminator());
  BasicBlock *Parted = BasicBlock::Create(B.getContext(), "warp.mask", Before->getParent(), After);
  Before->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Before);
  B.CreateCondBr(B.CreateIsNull(Site.Mask), After, Parted);
  B.SetInsertPoint(Parted);
  Value *At = B.CreateGEP(B.getInt8Ty(), Site.Mask, B.CreateZExt(Start, B.getInt64Ty()));
  Value *Marks = B.CreateAlignedLoad(FixedVectorType::get(B.getInt8Ty(), Warp), At, Align(1));
  Value *Come = B.CreateAnd(Exist, B.CreateIsNotNull(Marks));
  B.CreateBr(After);
  B.SetInsertPoint(After, After->begin());
  PHINode *Live = B.CreatePHI(Exist->getType(), 2);
  Live->addIncoming(Exist, Before);
  Live->addIncoming(Come, Parted);
  B.SetInsertPoint(After->getTerminator());
  return Live;
}

void spareLoop(Instruction &Latch) {
  LLVMContext &C = Latch.getContext();
  auto Property = [&](const char *Name) { return MDNode::get(C, {MDString::get(C, Name)}); };
  MDNode *Loop = MDNode::getDistinct(C, {nullptr, Property("llvm.loop.unroll.disable")});
  Loop->replaceOperandWith(0, Loop);
  Latch.setMetadata(LLVMContext::MD_loop, Loop);
}
} // namespace

SmallVector<WarpResult> lowerWarpRun(const ConvergentSite &Site, const WarpRunSite &Block,
                                     ArrayRef<Instruction *> Run) {
  SmallVector<WarpResult> Results = resultsOf(Site, Run);
  BasicBlock *Head = Site.Loop.Head, *Done = SplitBlock(Head, Head->getTerminator());
  Function *F = Head->getParent();
  auto NewBlock = [&](const Twine &Name) { return BasicBlock::Create(F->getContext(), Name, F, Done); };
  BasicBlock *Top = NewBlock("warps"), *Whole = NewBlock("warp.whole"), *Part = NewBlock("warp.part"),
             *Next = NewBlock("warp.next");
  IRBuilder<> B(Head->getTerminator());
  Value *Begin = B.getInt32(0), *End = Site.Threads;
  Value *OneRow = B.CreateICmpEQ(Block.Sizes[2], Site.Threads);
  if (Block.Low) {
    Value *First = B.CreateAnd(Block.Low, B.getInt32(~(Warp - 1)));
    Begin = B.CreateSelect(OneRow, First, Begin);
    End = B.CreateSelect(OneRow, B.CreateAdd(Block.Low, Block.Count), End);
  }
  Value *RowsOfWarps = B.CreateOr(OneRow, B.CreateIsNull(B.CreateAnd(Block.Sizes[2], Warp - 1)));
  Head->getTerminator()->setSuccessor(0, Top);
  B.SetInsertPoint(Top);
  PHINode *Start = B.CreatePHI(B.getInt32Ty(), 2);
  Start->addIncoming(Begin, Head);
  IRBuilder<> Ends(Next);
  Value *Following = Ends.CreateAdd(Start, Ends.getInt32(Warp), "", true, true);
  Start->addIncoming(Following, Next);
  spareLoop(*Ends.CreateCondBr(Ends.CreateICmpULT(Following, End), Top, Done));

  bool UsesRows = false;
  auto Emit = [&](BasicBlock *In, bool IsWhole) {
    B.SetInsertPoint(In);
    B.SetInsertPoint(B.CreateBr(Next));
    WarpBody Body(Site, Block, B, Start, IsWhole ? nullptr : liveLanes(Site, B, Start));
    for (Instruction *I : Run)
      Body.emit(*I);
    for (const WarpResult &R : Results)
      Body.store(R);
    UsesRows |= Body.usesRows();
  };
  Emit(Whole, true);
  Emit(Part, false);
  B.SetInsertPoint(Top);
  Value *IsWhole = B.CreateICmpULE(Following, Site.Threads);
  cast<Instruction>(Following)->moveBefore(*Top, Top->getFirstInsertionPt());
  if (UsesRows)
    IsWhole = B.CreateAnd(IsWhole, RowsOfWarps);
  if (Site.Mask)
    IsWhole = B.CreateAnd(IsWhole, B.CreateIsNull(Site.Mask));
  B.CreateCondBr(IsWhole, Whole, Part, MDBuilder(F->getContext()).createBranchWeights(1u << 20, 1));
  return Results;
}
} // namespace gpuprof::cpu
