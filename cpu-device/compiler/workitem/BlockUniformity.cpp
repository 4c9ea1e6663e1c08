// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/BlockUniformity.h"
#include "workitem/ConvergentOps.h"
#include "workitem/ThreadState.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprof::cpu {
BlockUniformity::BlockUniformity(Function &Body, const PostDominatorTree &After, const LoopInfo &Loops)
    : Body(Body), After(After), Loops(Loops) {
  seed();
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      const auto *I = cast<Instruction>(U);
      if (I->isTerminator())
        branch(const_cast<BasicBlock *>(I->getParent()));
      else if (convergentOp(*I) != ConvergentOp::BarrierReduce)
        markVarying(I);
    }
}

void BlockUniformity::markVarying(const Value *V) {
  if (!V->getType()->isVoidTy() && Varying.insert(V).second)
    Work.push_back(V);
}

void BlockUniformity::seed() {
  for (const Instruction &I : instructions(Body)) {
    const StateLoad Of = stateLoad(I, *Body.getArg(0));
    bool Differs = isa<AllocaInst>(I) || isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I);
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      Differs = Of.Is ? variesByThread(Of.Which) : Load->isVolatile() || Load->isAtomic();
    else if (const auto *Call = dyn_cast<CallBase>(&I))
      Differs = convergentOp(I) != ConvergentOp::BarrierReduce && !Call->doesNotAccessMemory();
    if (Differs)
      markVarying(&I);
  }
}

// Phis and loads of a join, or of a loop that threads leave in different iterations, vary with the path
// taken.
void BlockUniformity::taint(BasicBlock *Block) {
  for (const Instruction &I : *Block)
    if (isa<PHINode>(I) || (isa<LoadInst>(I) && !stateLoad(I, *Body.getArg(0)).Is))
      markVarying(&I);
}

// Threads part at the end of the block, and are together again at its post-dominator. Between, they meet in
// the blocks that several ways reach.
void BlockUniformity::branch(BasicBlock *Block) {
  const auto *Node = After.getNode(Block);
  BasicBlock *Join = Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  DenseMap<BasicBlock *, unsigned> Ways;
  SmallPtrSet<BasicBlock *, 4> Starts(succ_begin(Block), succ_end(Block));
  for (BasicBlock *Start : Starts) {
    SmallPtrSet<BasicBlock *, 16> Seen{Start};
    SmallVector<BasicBlock *> Next{Start};
    while (!Next.empty()) {
      BasicBlock *At = Next.pop_back_val();
      ++Ways[At];
      if (At != Join)
        for (BasicBlock *Successor : successors(At))
          if (Seen.insert(Successor).second)
            Next.push_back(Successor);
    }
  }
  for (auto [At, Count] : Ways)
    if (Count > 1)
      taint(At);
  for (const Loop *Around = Loops.getLoopFor(Block); Around; Around = Around->getParentLoop())
    if (!Join || !Around->contains(Join))
      for (BasicBlock *At : Around->blocks())
        taint(At);
}
} // namespace gpuprof::cpu
