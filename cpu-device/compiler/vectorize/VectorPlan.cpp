// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vectorize/VectorPlan.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Debug.h"

#define DEBUG_TYPE "gpuprof-cpu-vectorize-lanes"

using namespace llvm;

STATISTIC(LoopsTooLong, "Number of loops over threads not vectorised: too many instructions");
STATISTIC(LoopsDivergent, "Number of loops over threads not vectorised: lanes may diverge too often");
STATISTIC(LoopsNotCopied, "Number of loops over threads not vectorised: an instruction has no vector form");
STATISTIC(LoopsWithoutGain, "Number of loops over threads not vectorised: too little to gain");

namespace gpuprof::cpu {
namespace {
constexpr unsigned MostInstructions = 800, MostDivergentBranches = 10;
// Costs are for a strip of so many threads.
constexpr double Strip = 8;

bool isRecord(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && (Callee->getName() == "__gpuprof_cpu_record_row" ||
                    Callee->getName() == "__gpuprof_cpu_record_access");
}

bool hasNoEffect(const Instruction &I) {
  const auto *Known = dyn_cast<IntrinsicInst>(&I);
  return Known && Known->isAssumeLikeIntrinsic() && Known->use_empty();
}

} // namespace

bool isPure(const CallInst &Call) {
  return Call.getCalledFunction() && Call.doesNotAccessMemory() && Call.doesNotThrow() &&
         !Call.isConvergent() && !Call.getType()->isVoidTy();
}

VectorPlan::VectorPlan(const Loop &Threads, const PHINode &X, LoopInfo &Loops,
                       ArrayRef<GlobalAccess> Unrecorded)
    : Threads(Threads), X(X), Loops(Loops) {
  for (const GlobalAccess &A : Unrecorded)
    Recorded.insert(A.At);
}

const Accumulation *VectorPlan::accumulation(const StoreInst &S) const {
  auto Found = Accumulations.find(&S);
  return Found == Accumulations.end() ? nullptr : &Found->second;
}

void VectorPlan::findAccumulations() {
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

// A variable of the block, written by one thread and read by another, may only be accumulated.
bool VectorPlan::canStore(const StoreInst &S) const {
  const auto *Variable = dyn_cast<AllocaInst>(getUnderlyingObject(S.getPointerOperand()));
  if (of(S.getPointerOperand()).Is != Variation::Uniform || !Variable || accumulation(S))
    return !isa<IntToPtrInst>(getUnderlyingObject(S.getPointerOperand()));
  return all_of(Variable->users(), [&](const User *U) {
    const auto *I = cast<Instruction>(U);
    return !Threads.contains(I->getParent()) || (isa<StoreInst>(I) && I->getOperand(0) != Variable);
  });
}

bool VectorPlan::canCopy(const Instruction &I) const {
  if (I.isTerminator() || Skipped.contains(&I))
    return true;
  const bool Varies = of(&I).Is != Variation::Uniform;
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && (!Varies || isElement(I.getType())) &&
           (!Varies || !Recorded.contains(&I) || isContiguous(Load->getPointerOperand(), I.getType()));
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    const Type *T = Store->getValueOperand()->getType();
    return Store->isSimple() && isElement(T) && canStore(*Store) &&
           (!Recorded.contains(&I) || of(Store->getPointerOperand()).Is == Variation::Uniform ||
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

// Lanes may diverge outside of loops. They may also diverge where their indices decide: this happens seldom.
bool VectorPlan::canDiverge(BasicBlock &Block) {
  Instruction *End = Block.getTerminator();
  if (!isa<BranchInst>(End) && !isa<SwitchInst>(End))
    return false;
  if (&Block == Threads.getLoopLatch() || End->getNumSuccessors() < 2 ||
      of(End->getOperand(0)).Is == Variation::Uniform)
    return true;
  if (!isa<BranchInst>(End) || End->getSuccessor(0) == End->getSuccessor(1))
    return false;
  const Loop *In = Loops.getLoopFor(&Block);
  const auto *Compare = dyn_cast<ICmpInst>(End->getOperand(0));
  const bool ByNumber = Compare && of(Compare->getOperand(0)).Is != Variation::Varying &&
                        of(Compare->getOperand(1)).Is != Variation::Varying;
  Divergent.insert(End);
  return In == &Threads || (ByNumber && In->isLoopExiting(&Block));
}

bool VectorPlan::isGather(const Instruction &I) const {
  const Value *Pointer = getLoadStorePointerOperand(&I);
  return Pointer && !Skipped.contains(&I) && of(Pointer).Is != Variation::Uniform &&
         !isContiguous(Pointer, getLoadStoreType(const_cast<Instruction *>(&I)));
}

// The cost of an instruction for a strip's lanes one by one, and as a vector.
std::pair<double, double> VectorPlan::price(const Instruction &I) const {
  const bool Varies = of(&I).Is == Variation::Varying;
  const double Vectors = I.getType()->getScalarSizeInBits() > 32 ? 2 : 1;
  if (hasNoEffect(I))
    return {0, 0};
  if (Skipped.contains(&I) || isa<PHINode>(I) || I.isTerminator())
    return {Strip, Varies ? Vectors : 1};
  if (isGather(I))
    return {Strip, 2 * Strip};
  if (const Value *Pointer = getLoadStorePointerOperand(&I))
    return {Strip, of(Pointer).Is != Variation::Uniform && Recorded.contains(&I) ? 4 : 1};
  if (const auto *Call = dyn_cast<CallInst>(&I)) {
    constexpr double Other = 20; // operations
    if (isRecord(*Call))
      return {Strip * Other, of(Call->getArgOperand(0)).Is != Variation::Varying ? Other : Strip * Other};
    if (isLanewise(*Call))
      return {Strip, Varies ? Vectors : 1};
    return {Strip * Other, Varies ? Strip * (Other + 2) : Other};
  }
  if (I.isIntDivRem())
    return {Strip * 20, Varies ? Strip * 22 : 20};
  return {Strip, Varies ? Vectors : 1};
}

bool VectorPlan::gains() const {
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

bool VectorPlan::refuse(Statistic &Reason, [[maybe_unused]] const Value &At) const {
  ++Reason;
  LLVM_DEBUG(dbgs() << X.getFunction()->getName() << ": " << Reason.getDesc() << ": " << At << "\n");
  return false;
}

bool VectorPlan::find() {
  for (const BasicBlock *Block : Threads.blocks())
    Count += Block->size();
  if (Count > MostInstructions)
    return refuse(LoopsTooLong, X);
  findAccumulations();
  Values.emplace(Threads, X, Loops);
  LoopBlocksRPO Order(const_cast<Loop *>(&Threads));
  Order.perform(&Loops);
  for (BasicBlock *Block : Order) {
    if (!canDiverge(*Block))
      return refuse(LoopsDivergent, *Block->getTerminator());
    for (Instruction &I : *Block) {
      if (hasNoEffect(I))
        Skipped.insert(&I);
      if (!canCopy(I))
        return refuse(LoopsNotCopied, I);
      Gathers |= isGather(I) && Loops.getLoopFor(Block) != &Threads;
      const bool Extends = isa<SExtInst>(I) || isa<ZExtInst>(I);
      if ((Extends && of(&I).isLinear() && !Values->isExact(I.getOperand(0), isa<SExtInst>(I))) ||
          Values->isWarpIndexOfSum(I))
        Checked.insert(&I);
    }
    const auto Carried =
        count_if(Block->phis(), [&](const PHINode &Phi) { return of(&Phi).Is == Variation::Varying; });
    if (Loops.isLoopHeader(Block))
      MostCarried = std::max(MostCarried, unsigned(Carried));
  }
  if (Checked.size() + Divergent.size() > MostDivergentBranches)
    return refuse(LoopsDivergent, X);
  return gains() || refuse(LoopsWithoutGain, X);
}
} // namespace gpuprof::cpu
