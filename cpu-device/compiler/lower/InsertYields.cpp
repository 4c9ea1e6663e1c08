// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of a CPU block take turns: a loop waiting for another thread must yield.
#include "lower/InsertYields.h"
#include "module/Lowering.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// True if the instruction reads memory possibly written by another thread meanwhile.
bool observesOthers(const Instruction &I) {
  if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I))
    return true;
  const auto *Load = dyn_cast<LoadInst>(&I);
  return Load && (Load->isVolatile() || Load->isAtomic());
}

bool observesOthers(Lowering &L, Function &F) {
  for (Function *Reached : L.reachable(F))
    for (Instruction &I : instructions(*Reached))
      if (observesOthers(I))
        return true;
  return false;
}

// True if such a read in the loop decides an exit of the loop.
bool waits(Lowering &L, const Loop &Of) {
  SmallVector<Value *> Work;
  SmallVector<BasicBlock *> Exiting;
  Of.getExitingBlocks(Exiting);
  for (BasicBlock *Block : Exiting)
    Work.append(Block->getTerminator()->op_begin(), Block->getTerminator()->op_end());
  SmallPtrSet<Value *, 32> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Of.contains(I) || !Seen.insert(I).second)
      continue;
    if (observesOthers(*I))
      return true;
    if (auto *Call = dyn_cast<CallInst>(I))
      if (Function *Callee = Call->getCalledFunction();
          Callee && !Callee->isDeclaration() && observesOthers(L, *Callee))
        return true;
    Work.append(I->op_begin(), I->op_end());
    if (auto *Load = dyn_cast<LoadInst>(I)) // without optimisation values travel through stack slots
      if (auto *Slot = dyn_cast<AllocaInst>(Load->getPointerOperand()))
        for (User *U : Slot->users())
          if (auto *Store = dyn_cast<StoreInst>(U))
            Work.push_back(Store);
  }
  return false;
}
} // namespace

void insertYields(Lowering &L) {
  for (Function &F : L.M) {
    if (F.isDeclaration() || F.getName().contains("__gpuprof_")) // gpuprof's own function never waits
      continue;
    DominatorTree Dominators(F);
    LoopInfo Loops(Dominators);
    SmallVector<BasicBlock *> Latches;
    for (Loop *Of : Loops.getLoopsInPreorder())
      if (waits(L, *Of))
        Of->getLoopLatches(Latches);
    for (BasicBlock *Latch : SmallPtrSet<BasicBlock *, 8>(Latches.begin(), Latches.end())) {
      Value *Thread = L.thread(F);
      IRBuilder<>(Latch->getTerminator()).CreateCall(L.entry("__gpuprof_cpu_yield"), {Thread});
    }
  }
}
} // namespace gpuprof::cpu
