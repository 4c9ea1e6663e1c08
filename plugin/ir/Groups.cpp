#include "ir/Groups.h"

#include "common/Compat.h"
#include "ir/Steps.h"
#include "ptx/Ptx.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof {
namespace {

// Above this, comparing blocks would cost more compile time than the counters saved.
constexpr size_t LargestFunction = 1000;

// Whether control can come back to A without passing B (null: whatever it passes) in between.
bool cyclesPast(const BasicBlock *A, const BasicBlock *B) {
  SmallPtrSet<const BasicBlock *, 32> Seen;
  SmallVector<const BasicBlock *, 32> Worklist(successors(A));
  while (!Worklist.empty()) {
    const BasicBlock *BB = Worklist.pop_back_val();
    if (BB == A)
      return true;
    if (BB != B && Seen.insert(BB).second)
      Worklist.append(succ_begin(BB), succ_end(BB));
  }
  return false;
}

} // namespace

bool isThreadExit(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  if (!Call)
    return false;
  if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
    return any_of(ptx::parse(compat::asmText(*Asm)).Instructions,
                  [](const ptx::Instruction &P) { return P.Opcode[0] == "exit" && P.Predicate.empty(); });
  return Call->getCalledFunction() && Call->getCalledFunction()->getName() == "llvm.nvvm.exit";
}

bool mayRepeat(const BasicBlock &BB) { return cyclesPast(&BB, nullptr); }

DenseMap<const BasicBlock *, BasicBlock *> countingBlocks(Function &F) {
  DenseMap<const BasicBlock *, BasicBlock *> Counting;
  DominatorTree Dominators(F);
  PostDominatorTree PostDominators(F);
  LoopInfo Loops(Dominators);
  ReversePostOrderTraversal<Function *> Order(&F);
  // Where threads end inside blocks, the ways that the IR shows are not the ways threads go.
  const bool Simple = F.size() <= LargestFunction && !containsIrreducibleCFG<BasicBlock *>(Order, Loops) &&
                      none_of(instructions(F), [](const Instruction &I) {
                        return isThreadExit(I) || maySwitchStep(I); // blocks of two steps are two counts
                      });
  for (BasicBlock *BB : Order) {
    BasicBlock *&Result = Counting[BB] = BB;
    if (!Simple)
      continue;
    for (const DomTreeNode *Node = Dominators.getNode(BB)->getIDom(); Node; Node = Node->getIDom()) {
      BasicBlock *Above = Node->getBlock();
      if (Loops.getLoopFor(Above) == Loops.getLoopFor(BB) && PostDominators.dominates(BB, Above) &&
          !cyclesPast(Above, BB)) {
        Result = Counting.lookup(Above);
        break;
      }
    }
  }
  return Counting;
}

} // namespace gpuprof
