// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/WorkItemLoops.h"
#include "module/GlobalAccesses.h"
#include "module/Lowering.h"
#include "workitem/BlockCounts.h"
#include "workitem/BodyForm.h"
#include "workitem/FormedBody.h"
#include "workitem/KeptValues.h"
#include "workitem/LaneTable.h"
#include "workitem/LoopPreparation.h"
#include "workitem/MatrixRuns.h"
#include "workitem/MergedBlocks.h"
#include "workitem/ParallelLoops.h"
#include "workitem/ParallelRegions.h"
#include "workitem/RegionEntries.h"
#include "workitem/RegionExits.h"
#include "workitem/ThreadState.h"
#include "workitem/WarpRuns.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#define DEBUG_TYPE "gpuprof-cpu-work-item-loops"

using namespace llvm;

STATISTIC(KernelsInLoops, "Number of kernels that became loops over threads");
STATISTIC(RegionsInLoops, "Number of parallel regions");

namespace gpuprof::cpu {
namespace {
class LoopFormation {
public:
  explicit LoopFormation(FormedBody &Body) : Body(Body) {}
  void run();
  SmallVector<LoopNest> loops() const;
  std::vector<InnerLoop> innerLoops();

private:
  void makeSetup();
  void makeExit(ParallelRegion &R);
  void makeLoop(ParallelRegion &R);

  FormedBody &Body;
};

// The first block: variables, and the sizes.
void LoopFormation::makeSetup() {
  BasicBlock *Old = &Body.F.getEntryBlock();
  Body.Setup = BasicBlock::Create(Body.F.getContext(), "setup", &Body.F, Old);
  Instruction *End = BranchInst::Create(Old, Body.Setup);
  for (Instruction &I : *Old)
    if (isa<AllocaInst>(I) && !Body.Counts.isVariable(&I))
      Body.Variables.insert(&I);
  Body.Counts.leaveThreads(*Body.Setup);
  for (Instruction *I : Body.Variables) {
    I->removeFromParent();
    I->insertInto(Body.Setup, End->getIterator());
  }
  constexpr Field Names[] = {Field::ntid_z, Field::ntid_y, Field::ntid_x};
  IRBuilder<> B(End);
  for (unsigned N = 0; N != 3; ++N)
    Body.Sizes[N] = Body.L.load(B, Names[N]);
  if (Body.K.MergesBlocks)
    Body.Sizes[2] = B.CreateMul(Body.Sizes[2], Body.L.load(B, Field::merged_blocks), "", true, true);
  Body.Threads = B.CreateMul(Body.Sizes[0], B.CreateMul(Body.Sizes[1], Body.Sizes[2]), "threads");
}

// All edges to the next parallel region meet in a block of their own.
void LoopFormation::makeExit(ParallelRegion &R) {
  if (R.Exit)
    return;
  SmallSetVector<BasicBlock *, 4> From;
  for (BasicBlock *Before : predecessors(R.Next))
    if (Body.Regions.of(Before) == &R)
      From.insert(Before);
  R.Exit = SplitBlockPredecessors(R.Next, From.getArrayRef(), ".out");
  Body.Regions.adopt(R, R.Exit);
}

// The loop of a parallel region, not yet connected to its predecessor and successor.
void LoopFormation::makeLoop(ParallelRegion &R) {
  BasicBlock *Head = BasicBlock::Create(Body.F.getContext(), "threads", &Body.F, R.Entry);
  IRBuilder<> B(Head);
  LoopNestBounds Bounds;
  Value *Turns = Body.Threads;
  for (unsigned N = 0; N != 3; ++N) {
    Bounds.Sizes[N] = Bounds.Counts[N] = Body.Sizes[N];
    if (R.In && R.In->Count[N]) {
      Bounds.Counts[N] = B.CreateLoad(B.getInt32Ty(), R.In->Count[N]);
      Bounds.Lowest[N] = B.CreateLoad(B.getInt32Ty(), R.In->Low[N]);
    }
  }
  if (R.In && !R.In->Range.empty())
    Turns = B.CreateMul(Bounds.Counts[2], B.CreateMul(Bounds.Counts[0], Bounds.Counts[1]));
  Turns = B.CreateZExt(Turns, B.getInt64Ty());
  if (const RangeTerm *Term = R.In ? termApart(R.In->Range) : nullptr)
    Bounds.Apart = Term->Apart;
  LoopNest &Loop = Body.Loops[&R] = makeLoopNest(B, Bounds, *R.Entry);
  Loop.Turns = Turns;
  Body.Regions.adopt(R, Loop.Head);
  Body.Regions.adopt(R, Loop.First);
}

void LoopFormation::run() {
  makeSetup();
  KeptValues Values(Body);
  RegionExits Exits(Body, Values);
  RegionEntries Entries(Body, Values, Exits);
  for (std::unique_ptr<ParallelRegion> &R : Body.Regions.All)
    makeExit(*R);
  Exits.makeDivergentRegions();
  for (std::unique_ptr<ParallelRegion> &R : Body.Regions.All)
    makeLoop(*R);
  Values.hoistState();
  for (std::unique_ptr<ParallelRegion> &R : Body.Regions.All)
    Values.lowerPhis(*R);
  for (std::unique_ptr<ParallelRegion> &R : Body.Regions.All)
    Entries.lower(*R);
  for (Instruction *I : SmallVector<Instruction *>(std::exchange(Body.Dead, {})))
    Body.bury(*I);
  Values.lowerUses();
  const bool Asked = Body.L.asksForState(Body.F);
  for (std::unique_ptr<ParallelRegion> &R : Body.Regions.All) {
    if (Asked)
      Values.keepPosition(*R);
    Exits.close(*R);
  }
  Body.Setup->getTerminator()->setSuccessor(0, Body.Loops[Body.Regions.All.front().get()].Head);
  for (std::unique_ptr<ParallelRegion> &R : Body.Regions.All)
    markParallelLoop(*Body.Loops[R.get()].Latch->getTerminator(), R->Blocks.getArrayRef(),
                     Body.Regions.All.size() > 1);
  for (Instruction *I : Body.Dead) {
    assert(I->use_empty() && "a value that was taken out is still used");
    I->deleteValue();
  }
}

std::vector<InnerLoop> LoopFormation::innerLoops() {
  std::vector<InnerLoop> Found;
  for (std::unique_ptr<ParallelRegion> &R : Body.Regions.All) {
    const LoopNest &Loop = Body.Loops[R.get()];
    Found.push_back({Loop.Counter[0]->getParent(), Loop.Counter[1], Loop.Position[1], Loop.Count[1],
                     Loop.Counter[1]->getParent(), Loop.First, Loop.Counter[2], Loop.Count[2],
                     R->In && holdForFew(R->In->Range)});
  }
  return Found;
}

SmallVector<LoopNest> LoopFormation::loops() const {
  SmallVector<LoopNest> All;
  for (const std::unique_ptr<ParallelRegion> &R : Body.Regions.All)
    All.push_back(Body.Loops.lookup(R.get()));
  return All;
}
} // namespace

static std::vector<InnerLoop> formLoops(Lowering &L, Kernel &K) {
  Function &F = *K.Body;
  if (F.hasFnAttribute(LeftToStacks)) {
    remarkOnStacks(F, "the file's kernels are many or large; -fplugin-arg-gpuprof-budget=off makes loops of all");
    return {};
  }
  if (!prepareForLoops(L, K))
    return {};
  EliminateUnreachableBlocks(F);
  BlockCounts Counts(F);
  promoteVariables(F, Counts);
  if (!fitsStack(F)) {
    remarkOnStacks(F, "its local arrays are large");
    return {};
  }
  dropLifetimes(F);
  mergeReturns(F);
  splitGuards(F);
  joinMatrices(F);
  const WarpRuns Runs(F, Counts);
  isolateConvergentOps(F, Runs);
  const DominatorTree Before(F);
  const PostDominatorTree After(F);
  const LoopInfo Loops(Before);
  const ThreadVariation Variations(F, After);
  ParallelRegions Regions(F, After, Before, Variations);
  if (!Regions.find(Loops)) {
    remarkOnStacks(F, "threads may come to its barriers by different ways");
    return {};
  }
  ++KernelsInLoops;
  RegionsInLoops += Regions.All.size();
  K.Thread = copyForOneThread(L, K);
  K.MergesBlocks = Regions.All.size() == 1 && !hasVariables(F, Counts) && canMergeBlocks(L, F);
  K.HasRows = any_of(instructions(F), [&](const Instruction &I) {
    const StateLoad Of = stateLoad(I, *F.getArg(0));
    return Of.Is && Of.Which == Field::tid_y;
  });
  FormedBody Body(L, K, Regions, Variations, Counts, Runs);
  LoopFormation Formation(Body);
  Formation.run();
  Counts.gather(L, Formation.loops());
  readLanesFromTable(L, F, Formation.loops());
  return Formation.innerLoops();
}

void formWorkItemLoops(Lowering &L) {
  for (Kernel &K : L.Kernels) {
    for (const GlobalAccess &A : globalAccesses(L, *K.Body))
      K.Accesses.insert(A.At);
    if (L.FormLoops)
      K.Loops = formLoops(L, K);
  }
}
} // namespace gpuprof::cpu
