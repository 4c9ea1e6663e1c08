// What the values of a loop over threads are while all threads of a strip go the same way, and whether it
// pays to run them together.
#include "vectorize/Strips.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
constexpr int64_t LargestStep = int64_t(1) << 30; // beyond, sums of steps might not fit
constexpr unsigned DeepestFlags = 6;
constexpr unsigned MostInstructions = 800, MostPartings = 10;
// Prices are those of a strip of so many threads.
constexpr double Strip = 8;

// Intrinsics of one type, which LLVM has for vectors too.
constexpr Intrinsic::ID Lanewise[] = {
    Intrinsic::fma,      Intrinsic::fmuladd,    Intrinsic::sqrt,      Intrinsic::fabs,      Intrinsic::minnum,
    Intrinsic::maxnum,   Intrinsic::minimum,    Intrinsic::maximum,   Intrinsic::floor,     Intrinsic::ceil,
    Intrinsic::trunc,    Intrinsic::rint,       Intrinsic::nearbyint, Intrinsic::roundeven, Intrinsic::round,
    Intrinsic::copysign, Intrinsic::smin,       Intrinsic::smax,      Intrinsic::umin,      Intrinsic::umax,
    Intrinsic::ctpop,    Intrinsic::bitreverse, Intrinsic::bswap,     Intrinsic::fshl,      Intrinsic::fshr,
    Intrinsic::sadd_sat, Intrinsic::uadd_sat,   Intrinsic::ssub_sat,  Intrinsic::usub_sat,
};

bool isTouch(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee &&
         (Callee->getName() == "__gpuprof_cpu_touch_row" || Callee->getName() == "__gpuprof_cpu_touch_slow");
}

bool hasNoEffect(const Instruction &I) {
  const auto *Known = dyn_cast<IntrinsicInst>(&I);
  return Known && Known->isAssumeLikeIntrinsic() && Known->use_empty();
}

bool isElement(const Type *T) {
  if (const auto *Number = dyn_cast<IntegerType>(T))
    return is_contained({1u, 8u, 16u, 32u, 64u}, Number->getBitWidth());
  return T->isHalfTy() || T->isBFloatTy() || T->isFloatTy() || T->isDoubleTy() || T->isPointerTy();
}

bool isStored(const Type *T) { return isElement(T) && !T->isIntegerTy(1); }
} // namespace

bool isLanewise(const CallInst &Call) { return is_contained(Lanewise, Call.getIntrinsicID()); }

bool isPure(const CallInst &Call) {
  return Call.getCalledFunction() && Call.doesNotAccessMemory() && Call.doesNotThrow() &&
         !Call.isConvergent() && !Call.getType()->isVoidTy();
}

StripShapes::StripShapes(const Loop &Row, const PHINode &X, LoopInfo &Loops, ArrayRef<GlobalAccess> Left)
    : Row(Row), X(X), Loops(Loops), Layout(X.getModule()->getDataLayout()) {
  for (const GlobalAccess &A : Left)
    Marked.insert(A.At);
}

Shape StripShapes::of(const Value *V) const {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Row.contains(I->getParent()))
    return {Shape::Same};
  return Shapes.lookup(V);
}

bool StripShapes::allSame(const Instruction &I) const {
  return all_of(I.operands(), [&](const Use &U) { return of(U).Is == Shape::Same; });
}

Shape StripShapes::sum(Shape A, Shape B, int64_t Sign) const {
  if (A.Is == Shape::Differs || B.Is == Shape::Differs)
    return {Shape::Differs};
  if (A.Is == Shape::Strides || B.Is == Shape::Strides)
    return {Shape::Strides};
  const int64_t Step = A.Step + Sign * B.Step;
  if (Step > LargestStep || Step < -LargestStep)
    return {Shape::Differs};
  return Step ? Shape{Shape::Steps, Step} : Shape{Shape::Same};
}

Shape StripShapes::scaled(const Instruction &I, unsigned Of, unsigned By, bool IsShift) const {
  const Shape A = of(I.getOperand(Of));
  if (!A.isAffine() || of(I.getOperand(By)).Is != Shape::Same)
    return {Shape::Differs};
  const auto *Factor = dyn_cast<ConstantInt>(I.getOperand(By));
  if (!Factor || A.Is == Shape::Strides)
    return {IsShift && !Factor ? Shape::Differs : Shape::Strides};
  int64_t Number = LargestStep;
  if (IsShift)
    Number = Factor->getValue().ult(30) ? int64_t(1) << Factor->getZExtValue() : LargestStep;
  else if (Factor->getBitWidth() <= 64)
    Number = Factor->getSExtValue();
  if (std::abs(Number) >= LargestStep || std::abs(A.Step) >= LargestStep ||
      std::abs(A.Step * Number) >= LargestStep)
    return {Shape::Differs};
  return sum({Shape::Steps, A.Step * Number}, {Shape::Same}, 1);
}

Shape StripShapes::address(const GetElementPtrInst &I) const {
  Shape Total = of(I.getPointerOperand());
  for (auto At = gep_type_begin(I), End = gep_type_end(I); At != End; ++At) {
    const Shape Index = of(At.getOperand());
    if (Index.Is == Shape::Same)
      continue;
    const uint64_t Bytes = Layout.getTypeAllocSize(At.getIndexedType()).getFixedValue();
    if (!Index.isAffine() || !At.getOperand()->getType()->isIntegerTy(64) || Bytes >= uint64_t(LargestStep) ||
        std::abs(Index.Step) >= LargestStep || std::abs(Index.Step * int64_t(Bytes)) >= LargestStep)
      return {Shape::Differs};
    Total =
        sum(Total, Index.Is == Shape::Strides ? Index : Shape{Shape::Steps, Index.Step * int64_t(Bytes)}, 1);
  }
  return Total;
}

Shape StripShapes::joined(const PHINode &I) const {
  Shape Result;
  for (const Value *V : I.incoming_values()) {
    const Shape Way = of(V);
    if (Way.Is == Shape::Unknown)
      continue;
    if (Result.Is == Shape::Unknown)
      Result = Way;
    if (!(Result == Way) || Way.Is == Shape::Strides)
      return {Shape::Differs};
  }
  return Result;
}

// Is each thread's value the sum that its operands say, without passing the largest number?
bool StripShapes::isExact(const Value *V, bool Signed, unsigned Depth) const {
  const auto *I = dyn_cast<Instruction>(V);
  if (of(V).Is == Shape::Same || V == &X || (I && I->getOpcode() == Instruction::And && of(V).isAffine()))
    return true;
  const auto *Sum = dyn_cast<OverflowingBinaryOperator>(V);
  if (!Sum || !Depth || !(Signed ? Sum->hasNoSignedWrap() : Sum->hasNoUnsignedWrap()))
    return false;
  return all_of(Sum->operands(), [&](const Use &U) {
    const auto *Number = dyn_cast<ConstantInt>(U);
    return isExact(U, Signed, Depth - 1) && (Signed || !Number || !Number->isNegative());
  });
}

Shape StripShapes::transfer(const Instruction &I) const {
  if (&I == &X)
    return {Shape::Steps, 1};
  if (const auto *Phi = dyn_cast<PHINode>(&I))
    return joined(*Phi);
  if (any_of(I.operands(), [&](const Use &U) { return of(U).Is == Shape::Unknown; }))
    return {};
  if (allSame(I))
    return {Shape::Same};
  if (const auto *Address = dyn_cast<GetElementPtrInst>(&I))
    return address(*Address);
  switch (I.getOpcode()) {
  case Instruction::Add:
    return sum(of(I.getOperand(0)), of(I.getOperand(1)), 1);
  case Instruction::Sub:
    return sum(of(I.getOperand(0)), of(I.getOperand(1)), -1);
  case Instruction::Mul:
    return of(I.getOperand(0)).Is == Shape::Same ? scaled(I, 1, 0, false) : scaled(I, 0, 1, false);
  case Instruction::Shl:
    return scaled(I, 0, 1, true);
  case Instruction::SExt:
  case Instruction::ZExt:
    return I.getOperand(0)->getType()->isIntegerTy(32) && I.getType()->isIntegerTy(64)
               ? of(I.getOperand(0))
               : Shape{Shape::Differs};
  case Instruction::Trunc:
    return I.getType()->isIntegerTy(32) ? of(I.getOperand(0)) : Shape{Shape::Differs};
  case Instruction::AddrSpaceCast:
    return of(I.getOperand(0));
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return I.getType()->isIntegerTy(64) || I.getOperand(0)->getType()->isIntegerTy(64)
               ? of(I.getOperand(0))
               : Shape{Shape::Differs};
  case Instruction::LShr:
  case Instruction::And:
    return ofWarp(I);
  default:
    return {Shape::Differs};
  }
}

// threadIdx.x / 32 and threadIdx.x % 32, as optimised: a strip begins at a multiple of its width.
Shape StripShapes::ofWarp(const Instruction &I) const {
  const auto *Number = dyn_cast<ConstantInt>(I.getOperand(1));
  if (I.getOperand(0) != &X || !Number)
    return {Shape::Differs};
  const APInt &Bits = Number->getValue();
  if (I.getOpcode() == Instruction::LShr)
    return Bits.uge(Log2_32(WidestStrip)) ? Shape{Shape::Same} : Shape{Shape::Differs};
  return Bits.isMask() && Bits.uge(WidestStrip - 1) ? Shape{Shape::Steps, 1} : Shape{Shape::Differs};
}

bool StripShapes::isContiguous(const Value *Pointer, const Type *Element) const {
  const Shape S = of(Pointer);
  return S.Is == Shape::Steps && uint64_t(S.Step) == Layout.getTypeStoreSize(const_cast<Type *>(Element));
}

const Accumulation *StripShapes::accumulation(const StoreInst &S) const {
  auto Found = Accumulations.find(&S);
  return Found == Accumulations.end() ? nullptr : &Found->second;
}

void StripShapes::findAccumulations() {
  for (BasicBlock *Block : Row.blocks())
    for (Instruction &I : *Block) {
      auto *Store = dyn_cast<StoreInst>(&I);
      auto *Sum = Store ? dyn_cast<BinaryOperator>(Store->getValueOperand()) : nullptr;
      if (!Sum || !isa<AllocaInst>(Store->getPointerOperand()) || !Sum->hasOneUse() ||
          Sum->getParent() != Block ||
          (Sum->getOpcode() != Instruction::Add && Sum->getOpcode() != Instruction::Or))
        continue;
      auto *Load = dyn_cast<LoadInst>(Sum->getOperand(0));
      if (!Load || Load->getPointerOperand() != Store->getPointerOperand() || !Load->hasOneUse() ||
          Load->getParent() != Block || !Load->isSimple() || !Store->isSimple())
        continue;
      Accumulations[Store] = {Load, Sum, Sum->getOperand(1)};
      Skipped.insert(Load);
      Skipped.insert(Sum);
    }
}

// A variable that all threads share and that one reads what another has written in is for accumulations only.
bool StripShapes::canStore(const StoreInst &S) const {
  const auto *Variable = dyn_cast<AllocaInst>(getUnderlyingObject(S.getPointerOperand()));
  if (of(S.getPointerOperand()).Is != Shape::Same || !Variable || accumulation(S))
    return !isa<IntToPtrInst>(getUnderlyingObject(S.getPointerOperand()));
  return all_of(Variable->users(), [&](const User *U) {
    const auto *I = cast<Instruction>(U);
    return !Row.contains(I->getParent()) || (isa<StoreInst>(I) && I->getOperand(0) != Variable);
  });
}

bool StripShapes::canCopy(const Instruction &I) const {
  if (I.isTerminator() || Skipped.contains(&I))
    return true;
  const bool Differs = of(&I).Is != Shape::Same;
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && (!Differs || isStored(I.getType())) &&
           (!Differs || !Marked.contains(&I) || isContiguous(Load->getPointerOperand(), I.getType()));
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    const Type *T = Store->getValueOperand()->getType();
    return Store->isSimple() && isStored(T) && canStore(*Store) &&
           (!Marked.contains(&I) || of(Store->getPointerOperand()).Is == Shape::Same ||
            isContiguous(Store->getPointerOperand(), T));
  }
  if (const auto *Call = dyn_cast<CallInst>(&I))
    return isTouch(*Call) ||
           (isPure(*Call) && (!Differs || isElement(I.getType())) &&
            (!Differs || all_of(Call->args(), [](const Use &U) { return isElement(U->getType()); })));
  if (I.mayReadOrWriteMemory() || isa<AllocaInst>(I))
    return false;
  if (!Differs)
    return true;
  return isElement(I.getType()) &&
         (isa<BinaryOperator>(I) || isa<UnaryOperator>(I) || isa<CastInst>(I) || isa<CmpInst>(I) ||
          isa<SelectInst>(I) || isa<GetElementPtrInst>(I) || isa<PHINode>(I) || isa<FreezeInst>(I)) &&
         all_of(I.operands(), [](const Use &U) { return isElement(U->getType()); });
}

// Threads may part where their numbers decide, which they seldom do, and outside of loops.
bool StripShapes::canPart(BasicBlock &Block) {
  Instruction *End = Block.getTerminator();
  if (!isa<BranchInst>(End) && !isa<SwitchInst>(End))
    return false;
  if (&Block == Row.getLoopLatch() || End->getNumSuccessors() < 2 || of(End->getOperand(0)).Is == Shape::Same)
    return true;
  if (!isa<BranchInst>(End) || End->getSuccessor(0) == End->getSuccessor(1))
    return false;
  const Loop *In = Loops.getLoopFor(&Block);
  const auto *Compare = dyn_cast<ICmpInst>(End->getOperand(0));
  const bool ByNumber = Compare && of(Compare->getOperand(0)).Is != Shape::Differs &&
                        of(Compare->getOperand(1)).Is != Shape::Differs;
  Parting.insert(End);
  return In == &Row || (ByNumber && In->isLoopExiting(&Block));
}

bool StripShapes::isGather(const Instruction &I) const {
  const Value *Pointer = getLoadStorePointerOperand(&I);
  return Pointer && !Skipped.contains(&I) && of(Pointer).Is != Shape::Same &&
         !isContiguous(Pointer, getLoadStoreType(const_cast<Instruction *>(&I)));
}

// What an instruction costs a strip's threads one by one, and together.
std::pair<double, double> StripShapes::price(const Instruction &I) const {
  const bool Differs = of(&I).Is == Shape::Differs;
  const double Vectors = I.getType()->getScalarSizeInBits() > 32 ? 2 : 1;
  if (hasNoEffect(I))
    return {0, 0};
  if (Skipped.contains(&I) || isa<PHINode>(I) || I.isTerminator())
    return {Strip, Differs ? Vectors : 1};
  if (isGather(I))
    return {Strip, 2 * Strip};
  if (const Value *Pointer = getLoadStorePointerOperand(&I))
    return {Strip, of(Pointer).Is != Shape::Same && Marked.contains(&I) ? 4 : 1};
  if (const auto *Call = dyn_cast<CallInst>(&I)) {
    constexpr double Other = 20; // operations
    if (isTouch(*Call))
      return {Strip * Other, of(Call->getArgOperand(0)).Is != Shape::Differs ? Other : Strip * Other};
    if (isLanewise(*Call))
      return {Strip, Differs ? Vectors : 1};
    return {Strip * Other, Differs ? Strip * (Other + 2) : Other};
  }
  if (I.isIntDivRem())
    return {Strip * 20, Differs ? Strip * 22 : 20};
  return {Strip, Differs ? Vectors : 1};
}

bool StripShapes::gains() const {
  double One = 0, Together = 0;
  for (BasicBlock *Block : Row.blocks()) {
    double Turns = 1;
    for (const Loop *In = Loops.getLoopFor(Block); In && In != &Row; In = In->getParentLoop())
      Turns *= 10;
    for (const Instruction &I : *Block) {
      const auto [A, B] = price(I);
      One += A * Turns;
      Together += B * Turns;
    }
    if (Parting.contains(Block->getTerminator()))
      Together += 4 * Turns;
  }
  for (Instruction *I : Checked)
    for (const Loop *In = Loops.getLoopFor(I->getParent()); In && In != &Row; In = In->getParentLoop())
      Together += 40;
  constexpr double Least = 1.5;
  return One > Least * Together;
}

bool StripShapes::find() {
  for (const BasicBlock *Block : Row.blocks())
    Count += Block->size();
  if (Count > MostInstructions || Row.isInnermost())
    return false;
  findAccumulations();
  LoopBlocksRPO Order(const_cast<Loop *>(&Row));
  Order.perform(&Loops);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *Block : Order)
      for (Instruction &I : *Block) {
        const Shape Old = Shapes.lookup(&I);
        Shape New = Old.Is == Shape::Differs ? Old : transfer(I);
        // Once more than the same, it can only come to differ.
        if (New == Old || New.Is < Old.Is)
          continue;
        if (Old.isAffine())
          New = {Shape::Differs};
        Shapes[&I] = New;
        Changed = true;
      }
  }
  for (BasicBlock *Block : Order) {
    if (!canPart(*Block))
      return false;
    for (Instruction &I : *Block) {
      if (hasNoEffect(I))
        Skipped.insert(&I);
      if (!canCopy(I))
        return false;
      Gathers |= isGather(I) && Loops.getLoopFor(Block) != &Row;
      const bool Extends = isa<SExtInst>(I) || isa<ZExtInst>(I);
      if (Extends && of(&I).isAffine() && !isExact(I.getOperand(0), isa<SExtInst>(I), DeepestFlags))
        Checked.insert(&I);
    }
    const auto Carried =
        count_if(Block->phis(), [&](const PHINode &Phi) { return of(&Phi).Is == Shape::Differs; });
    if (Loops.isLoopHeader(Block))
      MostCarried = std::max(MostCarried, unsigned(Carried));
  }
  return Checked.size() + Parting.size() <= MostPartings && gains();
}
} // namespace gpuprof::cpu
