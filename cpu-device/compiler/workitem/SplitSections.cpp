// Cuts a kernel into sections. A cut is a place that all threads of the block pass together: a wait, or a
// branch that all take the same way. Where threads part and only some of them wait, the others leave out an
// area.
#include "workitem/Split.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// Of so few operations a value is computed again behind a guard.
constexpr unsigned CheapDepth = 3;
} // namespace

bool Sections::find(const LoopInfo &Loops) {
  Entries.insert(&Body.getEntryBlock());
  for (BasicBlock &Block : Body)
    if (waitOf(Block.front()) != Wait::None)
      Entries.insert(&Block);
  do
    if (!cut())
      return false;
  while (cutAtGuard(Loops));
  for (std::unique_ptr<Section> &S : All)
    S->In = innermost(S->Entry);
  return areasAreSound();
}

// False: the control flow is not of a kind that can be cut.
bool Sections::cut() {
  for (bool Again = true; Again;) {
    Again = false;
    if (!flood()) {
      Again = true;
      continue;
    }
    for (std::unique_ptr<Section> &S : All) {
      const Result R = exitsOf(*S);
      if (R == Result::Failed)
        return false;
      if ((Again = R == Result::Again))
        break;
    }
  }
  return true;
}

// A branch inside a section that only the first threads of each row take, to do something there: as a section
// of its own it runs for these alone.
bool Sections::cutAtGuard(const LoopInfo &Loops) {
  for (std::unique_ptr<Section> &S : All)
    for (BasicBlock *Block : S->Blocks)
      if (Loops.getLoopFor(Block) == Loops.getLoopFor(S->Entry) && isGuard(*S, Block) && beginArea(Block)) {
        Cuts.insert(Block);
        Entries.insert(succ_begin(Block), succ_end(Block));
        return true;
      }
  return false;
}

// A few operations on what is known in each section.
bool Sections::isCheapToKeep(const Value *V, unsigned Depth) const {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Uniform.isUniform(V) || isa<AllocaInst>(I) || stateLoad(*I, *Body.getArg(0)).Is)
    return true;
  if (!Depth || (!isa<BinaryOperator>(I) && !isa<CastInst>(I) && !isa<GetElementPtrInst>(I)) ||
      I->isIntDivRem() || !I->getType()->isIntOrPtrTy())
    return false;
  return all_of(I->operands(), [&](const Use &U) { return isCheapToKeep(U, Depth - 1); });
}

bool Sections::isGuard(const Section &S, BasicBlock *Block) const {
  auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
  if (!Branch || !Branch->isConditional() || Cuts.contains(Block) ||
      Uniform.isUniform(Branch->getCondition()) || !After.dominates(Block, S.Entry))
    return false;
  BasicBlock *Join = After.getNode(Block)->getIDom()->getBlock();
  const bool OnTrue = Branch->getSuccessor(1) == Join;
  const BasicBlock *Inside = Branch->getSuccessor(OnTrue ? 0 : 1);
  if (!Join || !S.Blocks.contains(Join) || !S.Blocks.contains(const_cast<BasicBlock *>(Inside)) ||
      Inside == Join || rangeOf(Branch->getCondition(), OnTrue, *Body.getArg(0), Uniform).empty())
    return false;
  if (any_of(Join->phis(), [&](const PHINode &Phi) { return !Uniform.isUniform(&Phi); }))
    return false;
  bool Does = false;
  for (const BasicBlock *Later : S.Blocks) {
    if (Later == Block || !Before.dominates(Block, Later))
      continue;
    for (const Instruction &I : *Later) {
      Does |= Before.dominates(Inside, Later) && I.mayWriteToMemory();
      for (const Value *Operand : I.operands())
        if (const auto *Given = dyn_cast<Instruction>(Operand);
            Given && Before.dominates(Given->getParent(), Block) && !isCheapToKeep(Given, CheapDepth))
          return false;
    }
  }
  return Does;
}

// Gives each block its section. A block that two sections reach begins one of its own: then it has to be done
// again.
bool Sections::flood() {
  All.clear();
  Owner.clear();
  for (unsigned Index = 0; Index != Entries.size(); ++Index) {
    BasicBlock *Entry = Entries[Index];
    All.push_back(std::make_unique<Section>());
    Section &S = *All.back();
    S.Entry = Entry;
    SmallVector<BasicBlock *> Next{Entry};
    adopt(S, Entry);
    while (!Next.empty()) {
      BasicBlock *Block = Next.pop_back_val();
      if (Cuts.contains(Block))
        continue;
      for (BasicBlock *Successor : successors(Block)) {
        if (Entries.contains(Successor))
          continue;
        Section *Other = of(Successor);
        if (Other && Other != &S) {
          Entries.insert(Successor);
          return false;
        }
        if (!Other) {
          adopt(S, Successor);
          Next.push_back(Successor);
        }
      }
    }
  }
  return true;
}

// Where a section can be left: the next section's entry, or the block at whose end it is cut or returns. If
// there are several, a branch decides between them, at which it must be cut too.
Sections::Result Sections::exitsOf(Section &S) {
  DenseMap<BasicBlock *, Exits> From;
  auto Along = [&](BasicBlock *Successor) { return isEntry(Successor) ? Exits{Successor} : From[Successor]; };
  for (BasicBlock *Block : S.Blocks)
    if (Cuts.contains(Block) || isa<ReturnInst>(Block->getTerminator()))
      From[Block].insert(Block);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *Block : S.Blocks)
      if (!Cuts.contains(Block))
        for (BasicBlock *Successor : successors(Block))
          for (BasicBlock *Exit : Along(Successor))
            Changed |= From[Block].insert(Exit).second;
  }
  const Exits &Whole = From[S.Entry];
  if (Whole.empty())
    return Result::Failed;
  if (Whole.size() == 1) {
    BasicBlock *Only = *Whole.begin();
    const bool Inside = Cuts.contains(Only) || isa<ReturnInst>(Only->getTerminator());
    (Inside && S.Blocks.contains(Only) ? S.Exit : S.Next) = Only;
    return Result::Done;
  }
  for (BasicBlock *Block : S.Blocks) {
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

bool Sections::cutAt(BasicBlock *Block) {
  Instruction *Branch = Block->getTerminator();
  if (!isa<BranchInst>(Branch) && !isa<SwitchInst>(Branch))
    return false;
  if (!Uniform.isUniform(Branch->getOperand(0)) && !beginArea(Block))
    return false;
  Cuts.insert(Block);
  Entries.insert(succ_begin(Block), succ_end(Block));
  return true;
}

// Some threads go inside, the others to the join at once.
bool Sections::beginArea(BasicBlock *Block) {
  auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
  const auto *Node = After.getNode(Block);
  BasicBlock *Join = Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  if (!Branch || !Join || (Branch->getSuccessor(0) == Join) == (Branch->getSuccessor(1) == Join))
    return false;
  auto A = std::make_unique<Area>();
  A->OnTrue = Branch->getSuccessor(1) == Join;
  A->Branch = Block;
  A->Join = Join;
  A->Inside = Branch->getSuccessor(A->OnTrue ? 0 : 1);
  if (!A->Inside->getSinglePredecessor())
    return false;
  SmallVector<BasicBlock *> Next{A->Inside};
  while (!Next.empty()) {
    BasicBlock *At = Next.pop_back_val();
    if (At == Join || !A->Blocks.insert(At).second)
      continue;
    if (!Before.dominates(A->Inside, At))
      return false;
    Next.append(succ_begin(At), succ_end(At));
  }
  A->Range = rangeOf(Branch->getCondition(), A->OnTrue, *Body.getArg(0), Uniform);
  Begins[Block] = A.get();
  Areas.push_back(std::move(A));
  return true;
}

Area *Sections::innermost(const BasicBlock *Block) const {
  Area *Found = nullptr;
  for (const std::unique_ptr<Area> &A : Areas)
    if (A->Blocks.contains(Block) && (!Found || A->Blocks.size() < Found->Blocks.size()))
      Found = A.get();
  return Found;
}

void Sections::describe(Area &A) {
  A.Outer = innermost(A.Branch);
  const Section *Last = of(A.Join);
  A.EndsAtReturn = Last->Exit && isa<ReturnInst>(Last->Exit->getTerminator()) &&
                   waitOf(Last->Entry->front()) == Wait::None;
  for (const BasicBlock *Block : A.Blocks) {
    const Wait W = waitOf(Block->front());
    if (W == Wait::None || W == Wait::Barrier || (W != Wait::BarrierReduce && innermost(Block) != &A))
      continue;
    A.HasLaneWaits |= W != Wait::BarrierReduce;
    auto &Call = const_cast<CallInst &>(cast<CallInst>(Block->front()));
    if (isOfWholeWarps(Call))
      A.WarpWait = &Call;
    else // asks who is inside
      A.Range.clear();
  }
}

// Threads that left out an area wait at its join for the others; at a barrier inside they would be missed,
// unless they have nothing to do any more but to return.
bool Sections::areasAreSound() {
  for (const std::unique_ptr<Area> &A : Areas) {
    describe(*A);
    if (A->EndsAtReturn)
      continue;
    for (const BasicBlock *Block : A->Blocks)
      if (const Wait W = waitOf(Block->front()); W == Wait::Barrier || W == Wait::BarrierReduce)
        return false;
  }
  for (const std::unique_ptr<Area> &A : Areas) {
    if (A->EndsAtReturn || !A->HasLaneWaits)
      continue;
    A->Alive = A->Outer;
    while (A->Alive && !A->Alive->EndsAtReturn)
      A->Alive = A->Alive->Outer;
    if (A->Alive)
      A->Alive->IsAskedFor = true;
  }
  // Within an area whose threads are asked one by one, all are asked.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const std::unique_ptr<Area> &A : Areas)
      if (!A->Range.empty() && A->Outer && A->Outer->Range.empty()) {
        A->Range.clear();
        Changed = true;
      }
  }
  return true;
}
} // namespace gpuprof::cpu
