// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts a kernel into parallel regions. All threads of the block pass a cut together: a convergent operation,
// or a uniform branch. If threads diverge and only some reach the next operation, the others skip a divergent
// region.
#include "workitem/ParallelRegions.h"
#include "workitem/ConvergentOps.h"
#include "workitem/ThreadState.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Debug.h"

#define DEBUG_TYPE "gpuprof-cpu-work-item-loops"

using namespace llvm;

STATISTIC(DivergentRegions, "Number of divergent regions");
STATISTIC(RangesOfThreads, "Number of divergent regions that are a range of each row");
STATISTIC(KernelsNotCut, "Number of kernels whose control flow cannot be cut");

namespace gpuprof::cpu {
namespace {
// A value of at most so many operations is computed again behind a guard.
constexpr unsigned CheapDepth = 3;
} // namespace

bool isBounded(const DivergentRegion &D, unsigned Along) {
  return any_of(D.Range, [&](const RangeTerm &Term) { return Term.Along == Along; }) ||
         (D.Outer && isBounded(*D.Outer, Along));
}

bool ParallelRegions::find(const LoopInfo &Loops) {
  Entries.insert(&Body.getEntryBlock());
  for (BasicBlock &Block : Body)
    if (convergentOp(Block.front()) != ConvergentOp::None)
      Entries.insert(&Block);
  do
    if (!cut())
      return refuse("a branch that may diverge has to be uniform, or to begin a divergent region");
  while (cutAtGuard(Loops));
  for (std::unique_ptr<ParallelRegion> &R : All)
    R->In = innermost(R->Entry);
  if (!divergentAreSound())
    return refuse("a barrier in a divergent region that does not end at the return");
  DivergentRegions += Divergent.size();
  RangesOfThreads += count_if(Divergent, [](const auto &D) { return !D->Range.empty(); });
  assert(all_of(All, [](const auto &R) { return R->Exit || R->Next; }) && "a region that nothing leaves");
  return true;
}

bool ParallelRegions::refuse([[maybe_unused]] StringRef Why) const {
  ++KernelsNotCut;
  LLVM_DEBUG(dbgs() << Body.getName() << " is not cut: " << Why << "\n");
  return false;
}

bool ParallelRegions::cut() {
  for (bool Again = true; Again;) {
    Again = false;
    if (!flood()) {
      Again = true;
      continue;
    }
    for (std::unique_ptr<ParallelRegion> &R : All) {
      const Result Found = exitsOf(*R);
      if (Found == Result::Failed)
        return false;
      if ((Again = Found == Result::Again))
        break;
    }
  }
  return true;
}

// A branch inside a parallel region, taken only by the first threads of each row. Its code becomes a parallel
// region of its own and runs for these threads alone.
bool ParallelRegions::cutAtGuard(const LoopInfo &Loops) {
  for (std::unique_ptr<ParallelRegion> &R : All)
    for (BasicBlock *Block : R->Blocks)
      if (Loops.getLoopFor(Block) == Loops.getLoopFor(R->Entry) && isGuard(*R, Block) &&
          beginDivergent(Block)) {
        Cuts.insert(Block);
        Entries.insert(succ_begin(Block), succ_end(Block));
        return true;
      }
  return false;
}

// A few operations on values known in each parallel region.
bool ParallelRegions::isCheapToKeep(const Value *V, unsigned Depth) const {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Variations.isUniform(V) || isa<AllocaInst>(I) || stateLoad(*I, *Body.getArg(0)).Is)
    return true;
  if (!Depth || (!isa<BinaryOperator>(I) && !isa<CastInst>(I) && !isa<GetElementPtrInst>(I)) ||
      I->isIntDivRem() || !I->getType()->isIntOrPtrTy())
    return false;
  return all_of(I->operands(), [&](const Use &U) { return isCheapToKeep(U, Depth - 1); });
}

bool ParallelRegions::isGuard(const ParallelRegion &R, BasicBlock *Block) const {
  auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
  if (!Branch || !Branch->isConditional() || Cuts.contains(Block) ||
      Variations.isUniform(Branch->getCondition()) || !After.dominates(Block, R.Entry))
    return false;
  BasicBlock *Join = After.getNode(Block)->getIDom()->getBlock();
  const bool OnTrue = Branch->getSuccessor(1) == Join;
  const BasicBlock *Inside = Branch->getSuccessor(OnTrue ? 0 : 1);
  if (!Join || !R.Blocks.contains(Join) || !R.Blocks.contains(const_cast<BasicBlock *>(Inside)) ||
      Inside == Join)
    return false;
  const RangeTerms Range = rangeOf(Branch->getCondition(), OnTrue, *Body.getArg(0), Variations);
  const DivergentRegion *Outer = innermost(R.Entry);
  if (Range.empty() || (Outer && termApart(Outer->Range)))
    return false;
  // Values are kept in arrays: a few threads load few of them again.
  const bool IsFew = holdForFew(Range);
  if (any_of(Join->phis(), [&](const PHINode &Phi) { return !Variations.isUniform(&Phi); }))
    return false;
  bool Does = false;
  for (const BasicBlock *Later : R.Blocks) {
    if (Later == Block || !Before.dominates(Block, Later))
      continue;
    const bool IsInside = Before.dominates(Inside, Later);
    for (const Instruction &I : *Later) {
      Does |= IsInside && I.mayWriteToMemory();
      if (IsInside && IsFew)
        continue;
      for (const Value *Operand : I.operands())
        if (const auto *Given = dyn_cast<Instruction>(Operand);
            Given && Before.dominates(Given->getParent(), Block) && !isCheapToKeep(Given, CheapDepth))
          return false;
    }
  }
  return Does;
}

// Gives each block its parallel region. A block reached from two parallel regions begins a new one; flood()
// must then run again.
bool ParallelRegions::flood() {
  All.clear();
  Owner.clear();
  for (unsigned Index = 0; Index != Entries.size(); ++Index) {
    BasicBlock *Entry = Entries[Index];
    All.push_back(std::make_unique<ParallelRegion>());
    ParallelRegion &R = *All.back();
    R.Entry = Entry;
    SmallVector<BasicBlock *> Next{Entry};
    adopt(R, Entry);
    while (!Next.empty()) {
      BasicBlock *Block = Next.pop_back_val();
      if (Cuts.contains(Block))
        continue;
      for (BasicBlock *Successor : successors(Block)) {
        if (Entries.contains(Successor))
          continue;
        ParallelRegion *Other = of(Successor);
        if (Other && Other != &R) {
          Entries.insert(Successor);
          return false;
        }
        if (!Other) {
          adopt(R, Successor);
          Next.push_back(Successor);
        }
      }
    }
  }
  return true;
}

// The exit of a parallel region: the next region's entry, or the block at its end with a cut or a return. If
// there are several, the branch deciding between them must become a cut, too.
ParallelRegions::Result ParallelRegions::exitsOf(ParallelRegion &R) {
  DenseMap<BasicBlock *, Exits> From;
  auto Along = [&](BasicBlock *Successor) { return isEntry(Successor) ? Exits{Successor} : From[Successor]; };
  for (BasicBlock *Block : R.Blocks)
    if (Cuts.contains(Block) || isa<ReturnInst>(Block->getTerminator()))
      From[Block].insert(Block);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *Block : R.Blocks)
      if (!Cuts.contains(Block))
        for (BasicBlock *Successor : successors(Block))
          for (BasicBlock *Exit : Along(Successor))
            Changed |= From[Block].insert(Exit).second;
  }
  const Exits &Whole = From[R.Entry];
  if (Whole.empty())
    return Result::Failed;
  if (Whole.size() == 1) {
    BasicBlock *Only = *Whole.begin();
    const bool Inside = Cuts.contains(Only) || isa<ReturnInst>(Only->getTerminator());
    (Inside && R.Blocks.contains(Only) ? R.Exit : R.Next) = Only;
    return Result::Done;
  }
  for (BasicBlock *Block : R.Blocks) {
    if (Cuts.contains(Block) || From[Block].size() < 2)
      continue;
    for (BasicBlock *Successor : successors(Block)) {
      const Exits There = Along(Successor);
      if (!There.empty() && There.size() != From[Block].size())
        return cutAt(Block) ? Result::Again : Result::Failed;
    }
  }
  return Result::Failed;
}

bool ParallelRegions::cutAt(BasicBlock *Block) {
  Instruction *Branch = Block->getTerminator();
  if (!isa<BranchInst>(Branch) && !isa<SwitchInst>(Branch))
    return false;
  if (!Variations.isUniform(Branch->getOperand(0)) && !beginDivergent(Block))
    return false;
  Cuts.insert(Block);
  Entries.insert(succ_begin(Block), succ_end(Block));
  return true;
}

// Some threads go inside, the others to the join at once.
bool ParallelRegions::beginDivergent(BasicBlock *Block) {
  auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
  const auto *Node = After.getNode(Block);
  BasicBlock *Join = Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  if (!Branch || !Join || (Branch->getSuccessor(0) == Join) == (Branch->getSuccessor(1) == Join))
    return false;
  auto D = std::make_unique<DivergentRegion>();
  D->OnTrue = Branch->getSuccessor(1) == Join;
  D->Branch = Block;
  D->Join = Join;
  D->Inside = Branch->getSuccessor(D->OnTrue ? 0 : 1);
  if (!D->Inside->getSinglePredecessor())
    return false;
  SmallVector<BasicBlock *> Next{D->Inside};
  while (!Next.empty()) {
    BasicBlock *At = Next.pop_back_val();
    if (At == Join || !D->Blocks.insert(At).second)
      continue;
    if (!Before.dominates(D->Inside, At))
      return false;
    Next.append(succ_begin(At), succ_end(At));
  }
  D->Range = rangeOf(Branch->getCondition(), D->OnTrue, *Body.getArg(0), Variations);
  Begins[Block] = D.get();
  Divergent.push_back(std::move(D));
  return true;
}

DivergentRegion *ParallelRegions::innermost(const BasicBlock *Block) const {
  DivergentRegion *Found = nullptr;
  for (const std::unique_ptr<DivergentRegion> &D : Divergent)
    if (D->Blocks.contains(Block) && (!Found || D->Blocks.size() < Found->Blocks.size()))
      Found = D.get();
  return Found;
}

void ParallelRegions::describe(DivergentRegion &D) {
  D.Outer = innermost(D.Branch);
  const auto Converges = [](const BasicBlock *Block) { return convergentOp(Block->front()) != ConvergentOp::None; };
  const auto HasNoMask = [](const RangeTerm &Term) { return Term.Apart > 1 || Term.Along != AlongX; };
  if (any_of(D.Range, HasNoMask) && any_of(D.Blocks, Converges)) // it needs the mask of the threads inside
    D.Range.clear();
  const ParallelRegion *Last = of(D.Join);
  D.EndsAtReturn = Last->Exit && isa<ReturnInst>(Last->Exit->getTerminator()) &&
                   convergentOp(Last->Entry->front()) == ConvergentOp::None;
  for (const BasicBlock *Block : D.Blocks) {
    const ConvergentOp W = convergentOp(Block->front());
    if (W == ConvergentOp::None || W == ConvergentOp::Barrier ||
        (W != ConvergentOp::BarrierReduce && innermost(Block) != &D))
      continue;
    D.HasWarpOps |= W != ConvergentOp::BarrierReduce;
    auto &Call = const_cast<CallInst &>(cast<CallInst>(Block->front()));
    if (isFullWarp(Call))
      D.WarpOp = &Call;
    else // it needs the mask of the threads inside
      D.Range.clear();
  }
}

// Threads skipping a divergent region wait for the others at its join. A barrier inside would miss them,
// unless they can only return.
bool ParallelRegions::divergentAreSound() {
  for (const std::unique_ptr<DivergentRegion> &D : Divergent) {
    describe(*D);
    if (D->EndsAtReturn)
      continue;
    for (const BasicBlock *Block : D->Blocks)
      if (const ConvergentOp W = convergentOp(Block->front());
          W == ConvergentOp::Barrier || W == ConvergentOp::BarrierReduce)
        return false;
  }
  for (const std::unique_ptr<DivergentRegion> &D : Divergent) {
    if (D->EndsAtReturn || !D->HasWarpOps)
      continue;
    D->Alive = D->Outer;
    while (D->Alive && !D->Alive->EndsAtReturn)
      D->Alive = D->Alive->Outer;
    if (D->Alive)
      D->Alive->MaskIsRead = true;
  }
  // If a divergent region tests its threads one by one, so do all regions within it.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const std::unique_ptr<DivergentRegion> &D : Divergent)
      if (!D->Range.empty() && D->Outer && D->Outer->Range.empty()) {
        D->Range.clear();
        Changed = true;
      }
  }
  return true;
}
} // namespace gpuprof::cpu
