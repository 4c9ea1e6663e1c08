// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vectorize/VectorShapes.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
constexpr int64_t LargestStep = int64_t(1) << 30; // beyond, sums of steps might not fit
constexpr unsigned DeepestFlags = 6;
constexpr unsigned MostInstructions = 800, MostDivergentBranches = 10;
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

bool isRecord(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee &&
         (Callee->getName() == "__gpuprof_cpu_record_row" || Callee->getName() == "__gpuprof_cpu_record_access");
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

VectorShapes::VectorShapes(const Loop &Threads, const PHINode &X, LoopInfo &Loops, ArrayRef<GlobalAccess> Unrecorded)
    : Threads(Threads), X(X), Loops(Loops), Layout(X.getModule()->getDataLayout()) {
  for (const GlobalAccess &A : Unrecorded)
    Recorded.insert(A.At);
}

VectorShape VectorShapes::of(const Value *V) const {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Threads.contains(I->getParent()))
    return {VectorShape::Uniform};
  return Shapes.lookup(V);
}

bool VectorShapes::allUniform(const Instruction &I) const {
  return all_of(I.operands(), [&](const Use &U) { return of(U).Is == VectorShape::Uniform; });
}

VectorShape VectorShapes::sum(VectorShape A, VectorShape B, int64_t Sign) const {
  if (A.Is == VectorShape::Varying || B.Is == VectorShape::Varying)
    return {VectorShape::Varying};
  if (A.Is == VectorShape::Strided || B.Is == VectorShape::Strided)
    return {VectorShape::Strided};
  const int64_t Step = A.Step + Sign * B.Step;
  if (Step > LargestStep || Step < -LargestStep)
    return {VectorShape::Varying};
  return Step ? VectorShape{VectorShape::Affine, Step} : VectorShape{VectorShape::Uniform};
}

VectorShape VectorShapes::scaled(const Instruction &I, unsigned Of, unsigned By, bool IsShift) const {
  const VectorShape A = of(I.getOperand(Of));
  if (!A.isLinear() || of(I.getOperand(By)).Is != VectorShape::Uniform)
    return {VectorShape::Varying};
  const auto *Factor = dyn_cast<ConstantInt>(I.getOperand(By));
  if (!Factor || A.Is == VectorShape::Strided)
    return {IsShift && !Factor ? VectorShape::Varying : VectorShape::Strided};
  int64_t Number = LargestStep;
  if (IsShift)
    Number = Factor->getValue().ult(30) ? int64_t(1) << Factor->getZExtValue() : LargestStep;
  else if (Factor->getBitWidth() <= 64)
    Number = Factor->getSExtValue();
  if (std::abs(Number) >= LargestStep || std::abs(A.Step) >= LargestStep ||
      std::abs(A.Step * Number) >= LargestStep)
    return {VectorShape::Varying};
  return sum({VectorShape::Affine, A.Step * Number}, {VectorShape::Uniform}, 1);
}

VectorShape VectorShapes::address(const GetElementPtrInst &I) const {
  VectorShape Total = of(I.getPointerOperand());
  for (auto At = gep_type_begin(I), End = gep_type_end(I); At != End; ++At) {
    const VectorShape Index = of(At.getOperand());
    if (Index.Is == VectorShape::Uniform)
      continue;
    const uint64_t Bytes = Layout.getTypeAllocSize(At.getIndexedType()).getFixedValue();
    if (!Index.isLinear() || !At.getOperand()->getType()->isIntegerTy(64) || Bytes >= uint64_t(LargestStep) ||
        std::abs(Index.Step) >= LargestStep || std::abs(Index.Step * int64_t(Bytes)) >= LargestStep)
      return {VectorShape::Varying};
    Total =
        sum(Total, Index.Is == VectorShape::Strided ? Index : VectorShape{VectorShape::Affine, Index.Step * int64_t(Bytes)}, 1);
  }
  return Total;
}

VectorShape VectorShapes::joined(const PHINode &I) const {
  VectorShape Result;
  for (const Value *V : I.incoming_values()) {
    const VectorShape Way = of(V);
    if (Way.Is == VectorShape::Unknown)
      continue;
    if (Result.Is == VectorShape::Unknown)
      Result = Way;
    if (!(Result == Way) || Way.Is == VectorShape::Strided)
      return {VectorShape::Varying};
  }
  return Result;
}

// Is each thread's value the sum that its operands say, without passing the largest number?
bool VectorShapes::isExact(const Value *V, bool Signed, unsigned Depth) const {
  const auto *I = dyn_cast<Instruction>(V);
  if (of(V).Is == VectorShape::Uniform || V == &X || (I && I->getOpcode() == Instruction::And && of(V).isLinear()))
    return true;
  const auto *Sum = dyn_cast<OverflowingBinaryOperator>(V);
  if (!Sum || !Depth || !(Signed ? Sum->hasNoSignedWrap() : Sum->hasNoUnsignedWrap()))
    return false;
  return all_of(Sum->operands(), [&](const Use &U) {
    const auto *Number = dyn_cast<ConstantInt>(U);
    return isExact(U, Signed, Depth - 1) && (Signed || !Number || !Number->isNegative());
  });
}

VectorShape VectorShapes::transfer(const Instruction &I) const {
  if (&I == &X)
    return {VectorShape::Affine, 1};
  if (const auto *Phi = dyn_cast<PHINode>(&I))
    return joined(*Phi);
  if (any_of(I.operands(), [&](const Use &U) { return of(U).Is == VectorShape::Unknown; }))
    return {};
  if (allUniform(I))
    return {VectorShape::Uniform};
  if (const auto *Address = dyn_cast<GetElementPtrInst>(&I))
    return address(*Address);
  switch (I.getOpcode()) {
  case Instruction::Add:
    return sum(of(I.getOperand(0)), of(I.getOperand(1)), 1);
  case Instruction::Sub:
    return sum(of(I.getOperand(0)), of(I.getOperand(1)), -1);
  case Instruction::Mul:
    return of(I.getOperand(0)).Is == VectorShape::Uniform ? scaled(I, 1, 0, false) : scaled(I, 0, 1, false);
  case Instruction::Shl:
    return scaled(I, 0, 1, true);
  case Instruction::SExt:
  case Instruction::ZExt:
    return I.getOperand(0)->getType()->isIntegerTy(32) && I.getType()->isIntegerTy(64)
               ? of(I.getOperand(0))
               : VectorShape{VectorShape::Varying};
  case Instruction::Trunc:
    return I.getType()->isIntegerTy(32) ? of(I.getOperand(0)) : VectorShape{VectorShape::Varying};
  case Instruction::AddrSpaceCast:
    return of(I.getOperand(0));
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return I.getType()->isIntegerTy(64) || I.getOperand(0)->getType()->isIntegerTy(64)
               ? of(I.getOperand(0))
               : VectorShape{VectorShape::Varying};
  case Instruction::LShr:
  case Instruction::And:
    return ofWarpIndex(I);
  default:
    return {VectorShape::Varying};
  }
}

// threadIdx.x / 32 and threadIdx.x % 32, as optimised: a strip begins at a multiple of its width.
VectorShape VectorShapes::ofWarpIndex(const Instruction &I) const {
  const auto *Number = dyn_cast<ConstantInt>(I.getOperand(1));
  if (I.getOperand(0) != &X || !Number)
    return {VectorShape::Varying};
  const APInt &Bits = Number->getValue();
  if (I.getOpcode() == Instruction::LShr)
    return Bits.uge(Log2_32(WidestStrip)) ? VectorShape{VectorShape::Uniform} : VectorShape{VectorShape::Varying};
  return Bits.isMask() && Bits.uge(WidestStrip - 1) ? VectorShape{VectorShape::Affine, 1} : VectorShape{VectorShape::Varying};
}

bool VectorShapes::isContiguous(const Value *Pointer, const Type *Element) const {
  const VectorShape S = of(Pointer);
  return S.Is == VectorShape::Affine && uint64_t(S.Step) == Layout.getTypeStoreSize(const_cast<Type *>(Element));
}

const Accumulation *VectorShapes::accumulation(const StoreInst &S) const {
  auto Found = Accumulations.find(&S);
  return Found == Accumulations.end() ? nullptr : &Found->second;
}

void VectorShapes::findAccumulations() {
  for (BasicBlock *Block : Threads.blocks())
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

// A variable of the block that one thread writes and another reads may only be accumulated.
bool VectorShapes::canStore(const StoreInst &S) const {
  const auto *Variable = dyn_cast<AllocaInst>(getUnderlyingObject(S.getPointerOperand()));
  if (of(S.getPointerOperand()).Is != VectorShape::Uniform || !Variable || accumulation(S))
    return !isa<IntToPtrInst>(getUnderlyingObject(S.getPointerOperand()));
  return all_of(Variable->users(), [&](const User *U) {
    const auto *I = cast<Instruction>(U);
    return !Threads.contains(I->getParent()) || (isa<StoreInst>(I) && I->getOperand(0) != Variable);
  });
}

bool VectorShapes::canCopy(const Instruction &I) const {
  if (I.isTerminator() || Skipped.contains(&I))
    return true;
  const bool Varies = of(&I).Is != VectorShape::Uniform;
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && (!Varies || isStored(I.getType())) &&
           (!Varies || !Recorded.contains(&I) || isContiguous(Load->getPointerOperand(), I.getType()));
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    const Type *T = Store->getValueOperand()->getType();
    return Store->isSimple() && isStored(T) && canStore(*Store) &&
           (!Recorded.contains(&I) || of(Store->getPointerOperand()).Is == VectorShape::Uniform ||
            isContiguous(Store->getPointerOperand(), T));
  }
  if (const auto *Call = dyn_cast<CallInst>(&I))
    return isRecord(*Call) ||
           (isPure(*Call) && (!Varies || isElement(I.getType())) &&
            (!Varies || all_of(Call->args(), [](const Use &U) { return isElement(U->getType()); })));
  if (I.mayReadOrWriteMemory() || isa<AllocaInst>(I))
    return false;
  if (!Varies)
    return true;
  return isElement(I.getType()) &&
         (isa<BinaryOperator>(I) || isa<UnaryOperator>(I) || isa<CastInst>(I) || isa<CmpInst>(I) ||
          isa<SelectInst>(I) || isa<GetElementPtrInst>(I) || isa<PHINode>(I) || isa<FreezeInst>(I)) &&
         all_of(I.operands(), [](const Use &U) { return isElement(U->getType()); });
}

// Lanes may diverge outside of loops, and where their indices decide, which they seldom do.
bool VectorShapes::canDiverge(BasicBlock &Block) {
  Instruction *End = Block.getTerminator();
  if (!isa<BranchInst>(End) && !isa<SwitchInst>(End))
    return false;
  if (&Block == Threads.getLoopLatch() || End->getNumSuccessors() < 2 || of(End->getOperand(0)).Is == VectorShape::Uniform)
    return true;
  if (!isa<BranchInst>(End) || End->getSuccessor(0) == End->getSuccessor(1))
    return false;
  const Loop *In = Loops.getLoopFor(&Block);
  const auto *Compare = dyn_cast<ICmpInst>(End->getOperand(0));
  const bool ByNumber = Compare && of(Compare->getOperand(0)).Is != VectorShape::Varying &&
                        of(Compare->getOperand(1)).Is != VectorShape::Varying;
  Divergent.insert(End);
  return In == &Threads || (ByNumber && In->isLoopExiting(&Block));
}

bool VectorShapes::isGather(const Instruction &I) const {
  const Value *Pointer = getLoadStorePointerOperand(&I);
  return Pointer && !Skipped.contains(&I) && of(Pointer).Is != VectorShape::Uniform &&
         !isContiguous(Pointer, getLoadStoreType(const_cast<Instruction *>(&I)));
}

// The cost of an instruction for a strip's lanes one by one, and as a vector.
std::pair<double, double> VectorShapes::price(const Instruction &I) const {
  const bool Varies = of(&I).Is == VectorShape::Varying;
  const double Vectors = I.getType()->getScalarSizeInBits() > 32 ? 2 : 1;
  if (hasNoEffect(I))
    return {0, 0};
  if (Skipped.contains(&I) || isa<PHINode>(I) || I.isTerminator())
    return {Strip, Varies ? Vectors : 1};
  if (isGather(I))
    return {Strip, 2 * Strip};
  if (const Value *Pointer = getLoadStorePointerOperand(&I))
    return {Strip, of(Pointer).Is != VectorShape::Uniform && Recorded.contains(&I) ? 4 : 1};
  if (const auto *Call = dyn_cast<CallInst>(&I)) {
    constexpr double Other = 20; // operations
    if (isRecord(*Call))
      return {Strip * Other, of(Call->getArgOperand(0)).Is != VectorShape::Varying ? Other : Strip * Other};
    if (isLanewise(*Call))
      return {Strip, Varies ? Vectors : 1};
    return {Strip * Other, Varies ? Strip * (Other + 2) : Other};
  }
  if (I.isIntDivRem())
    return {Strip * 20, Varies ? Strip * 22 : 20};
  return {Strip, Varies ? Vectors : 1};
}

bool VectorShapes::gains() const {
  double One = 0, Together = 0;
  for (BasicBlock *Block : Threads.blocks()) {
    double Turns = 1;
    for (const Loop *In = Loops.getLoopFor(Block); In && In != &Threads; In = In->getParentLoop())
      Turns *= 10;
    for (const Instruction &I : *Block) {
      const auto [A, B] = price(I);
      One += A * Turns;
      Together += B * Turns;
    }
    if (Divergent.contains(Block->getTerminator()))
      Together += 4 * Turns;
  }
  for (Instruction *I : Checked)
    for (const Loop *In = Loops.getLoopFor(I->getParent()); In && In != &Threads; In = In->getParentLoop())
      Together += 40;
  constexpr double Least = 1.5;
  return One > Least * Together;
}

bool VectorShapes::find() {
  for (const BasicBlock *Block : Threads.blocks())
    Count += Block->size();
  if (Count > MostInstructions || Threads.isInnermost())
    return false;
  findAccumulations();
  LoopBlocksRPO Order(const_cast<Loop *>(&Threads));
  Order.perform(&Loops);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *Block : Order)
      for (Instruction &I : *Block) {
        const VectorShape Old = Shapes.lookup(&I);
        VectorShape New = Old.Is == VectorShape::Varying ? Old : transfer(I);
        // The lattice: a value that is more than uniform can only become varying.
        if (New == Old || New.Is < Old.Is)
          continue;
        if (Old.isLinear())
          New = {VectorShape::Varying};
        Shapes[&I] = New;
        Changed = true;
      }
  }
  for (BasicBlock *Block : Order) {
    if (!canDiverge(*Block))
      return false;
    for (Instruction &I : *Block) {
      if (hasNoEffect(I))
        Skipped.insert(&I);
      if (!canCopy(I))
        return false;
      Gathers |= isGather(I) && Loops.getLoopFor(Block) != &Threads;
      const bool Extends = isa<SExtInst>(I) || isa<ZExtInst>(I);
      if (Extends && of(&I).isLinear() && !isExact(I.getOperand(0), isa<SExtInst>(I), DeepestFlags))
        Checked.insert(&I);
    }
    const auto Carried =
        count_if(Block->phis(), [&](const PHINode &Phi) { return of(&Phi).Is == VectorShape::Varying; });
    if (Loops.isLoopHeader(Block))
      MostCarried = std::max(MostCarried, unsigned(Carried));
  }
  return Checked.size() + Divergent.size() <= MostDivergentBranches && gains();
}
} // namespace gpuprof::cpu
