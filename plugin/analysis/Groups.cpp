// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Groups.h"

#include "analysis/LoopAnalyses.h"
#include "common/Compat.h"
#include "directives/DirectiveLowering.h"
#include "ptx/Ptx.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <map>
#include <vector>

using namespace llvm;

namespace gpuprof {
namespace {

// Above this, comparing blocks would cost more compile time than the counters saved.
constexpr size_t LargestFunction = 1000;

// True if control can return to A without passing B (null: by any way).
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

// Numbers the executions of blocks. Two blocks with one number run equally often, in the whole function and
// in every iteration of a loop containing both. A number stands for the way of control to a block: two blocks
// behind equal conditions have one, and two loops with equal trip counts.
//
// The inputs of a condition or a trip count may differ between iterations. It is equal for two blocks if it
// never changes while the function runs. It is also equal if both stand in the same innermost loop and see it
// in the same iteration.
class Executions {
public:
  explicit Executions(Function &F) : Analyses(F), PostDominators(F) {}

  DenseMap<const BasicBlock *, BasicBlock *> countingBlocks(ReversePostOrderTraversal<Function *> &Order) {
    DenseMap<const BasicBlock *, BasicBlock *> Counting;
    std::map<unsigned, BasicBlock *> First;
    for (BasicBlock *BB : Order) {
      const unsigned Number = Numbers[BB] = numberOf(*BB);
      Counting[BB] = First.try_emplace(Number, BB).first->second;
    }
    return Counting;
  }

  bool isReducible(ReversePostOrderTraversal<Function *> &Order) const {
    return !containsIrreducibleCFG<BasicBlock *>(Order, Analyses.Loops);
  }

private:
  using Key = std::vector<const void *>;
  enum Tag : uintptr_t { Opaque, Branch, Meeting, Turns };

  static const void *word(uintptr_t Number) { return reinterpret_cast<const void *>(Number); }

  unsigned numberOf(const BasicBlock &BB) {
    if (const BasicBlock *Above = equivalentAbove(BB))
      return Numbers.lookup(Above);
    Loop *L = Analyses.Loops.getLoopFor(&BB);
    const bool IsHeader = L && L->getHeader() == &BB;
    std::vector<uintptr_t> Ways;
    for (const BasicBlock *Predecessor : predecessors(&BB))
      if (Numbers.count(Predecessor) && !(IsHeader && L->contains(Predecessor)))
        Ways.push_back(wayInto(*Predecessor, BB));
    if (Ways.empty()) // the function's entry
      return Next++;
    sort(Ways);
    unsigned Entries = static_cast<unsigned>(Ways.front());
    if (Ways.size() > 1) {
      Key Meets{word(Meeting)};
      for (uintptr_t Way : Ways)
        Meets.push_back(word(Way));
      Entries = lookup(std::move(Meets));
    }
    if (!IsHeader)
      return Entries;
    EntriesOf[L] = Entries;
    return turns(*L, Entries);
  }

  // A block dominating this one, in the same loop, and always followed by it.
  const BasicBlock *equivalentAbove(const BasicBlock &BB) {
    const LoopInfo &Loops = Analyses.Loops;
    for (const DomTreeNode *Node = Analyses.Dominators.getNode(&BB)->getIDom(); Node;
         Node = Node->getIDom()) {
      const BasicBlock *Above = Node->getBlock();
      if (Loops.getLoopFor(Above) == Loops.getLoopFor(&BB) && PostDominators.dominates(&BB, Above) &&
          !cyclesPast(Above, &BB))
        return Above;
    }
    return nullptr;
  }

  // The number of executions of the edge between two blocks.
  unsigned wayInto(const BasicBlock &From, const BasicBlock &To) {
    const Instruction &End = *From.getTerminator();
    const unsigned Number = Numbers.lookup(&From);
    if (End.getNumSuccessors() == 1)
      return Number;
    if (const Loop *Left = leftByOneWay(From, To))
      return EntriesOf.lookup(Left);
    const auto *Choice = dyn_cast<BranchInst>(&End);
    if (!Choice || Choice->getSuccessor(0) == Choice->getSuccessor(1))
      return lookup({word(Opaque), &From, &To});
    Key Way{word(Branch), word(Number)};
    addCondition(Way, *Choice->getCondition(), Choice->getSuccessor(0) == &To,
                 Analyses.Loops.getLoopFor(&From));
    return lookup(std::move(Way));
  }

  // The outermost loop ending on this edge, if it has no other exit: then it ends as often as it begins.
  const Loop *leftByOneWay(const BasicBlock &From, const BasicBlock &To) const {
    const Loop *Left = nullptr;
    for (const Loop *L = Analyses.Loops.getLoopFor(&From); L && !L->contains(&To); L = L->getParentLoop())
      Left = L;
    SmallVector<Loop::Edge, 4> Ways;
    if (Left)
      Left->getExitEdges(Ways);
    return Ways.size() == 1 ? Left : nullptr;
  }

  void addCondition(Key &K, Value &Condition, bool Holds, const Loop *Innermost) {
    const auto *Comparison = dyn_cast<ICmpInst>(&Condition);
    if (!Comparison || !Analyses.Evolution.isSCEVable(Comparison->getOperand(0)->getType())) {
      const auto *I = dyn_cast<Instruction>(&Condition);
      const bool Varies = I && Analyses.Loops.getLoopFor(I->getParent());
      K.insert(K.end(), {&Condition, word(Holds), Varies ? Innermost : nullptr});
      return;
    }
    auto Predicate = Holds ? Comparison->getPredicate() : Comparison->getInversePredicate();
    const SCEV *Left = Analyses.Evolution.getSCEV(Comparison->getOperand(0));
    const SCEV *Right = Analyses.Evolution.getSCEV(Comparison->getOperand(1));
    if (std::less<const SCEV *>()(Right, Left)) {
      std::swap(Left, Right);
      Predicate = CmpInst::getSwappedPredicate(Predicate);
    }
    const Loop *Scope = isFixed(Left, Innermost) && isFixed(Right, Innermost) ? nullptr : Innermost;
    K.insert(K.end(), {word(Predicate), Left, Right, Scope});
  }

  // True if an expression has one value in all iterations of the enclosing loops.
  bool isFixed(const SCEV *S, const Loop *Innermost) {
    return !Innermost || Analyses.Evolution.isLoopInvariant(S, Innermost->getOutermostLoop());
  }

  // The number of runs of a loop's header for this number of entries.
  unsigned turns(Loop &L, unsigned Entries) {
    Key K{word(Turns), word(Entries)};
    const SCEV *Repeats = Analyses.Evolution.getBackedgeTakenCount(&L);
    if (isa<SCEVCouldNotCompute>(Repeats)) {
      if (!addSequence(K, L))
        return Next++;
    } else {
      K.insert(K.end(), {Repeats, isFixed(Repeats, L.getParentLoop()) ? nullptr : L.getParentLoop()});
    }
    return lookup(std::move(K));
  }

  // A loop ending when a sequence of numbers meets a bound: the two determine its trip count, even without a
  // closed form.
  bool addSequence(Key &K, Loop &L) {
    const BasicBlock *Exiting = L.getExitingBlock(), *Latch = L.getLoopLatch();
    const auto *End = Exiting ? dyn_cast<BranchInst>(Exiting->getTerminator()) : nullptr;
    const auto *Comparison = End && End->isConditional() ? dyn_cast<ICmpInst>(End->getCondition()) : nullptr;
    if (!Comparison || !Latch || !Analyses.Dominators.dominates(Exiting, Latch) ||
        !Analyses.Evolution.isSCEVable(Comparison->getOperand(0)->getType()))
      return false;
    const auto *Sequence = dyn_cast<SCEVAddRecExpr>(Analyses.Evolution.getSCEV(Comparison->getOperand(0)));
    const SCEV *Bound = Analyses.Evolution.getSCEV(Comparison->getOperand(1));
    if (!Sequence || Sequence->getLoop() != &L || !Analyses.Evolution.isLoopInvariant(Bound, &L))
      return false;
    const Loop *Parent = L.getParentLoop();
    bool Fixed = isFixed(Bound, Parent);
    K.insert(K.end(), {word(Comparison->getPredicate()), word(L.contains(End->getSuccessor(0))), Bound});
    for (const SCEV *Operand : Sequence->operands()) {
      Fixed &= isFixed(Operand, Parent);
      K.push_back(Operand);
    }
    K.push_back(Fixed ? nullptr : Parent);
    return true;
  }

  unsigned lookup(Key K) {
    auto [Slot, New] = Known.try_emplace(std::move(K), Next);
    Next += New;
    return Slot->second;
  }

  LoopAnalyses Analyses;
  PostDominatorTree PostDominators;
  DenseMap<const BasicBlock *, unsigned> Numbers;
  DenseMap<const Loop *, unsigned> EntriesOf;
  std::map<Key, unsigned> Known;
  unsigned Next = 0;
};

// The mark of functions from splitAtThreadExits() on.
constexpr const char *EndsThread = "gpuprof-ends-thread";

} // namespace

bool isThreadExit(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  if (!Call)
    return false;
  if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand())) {
    const std::string Text = compat::asmText(*Asm);
    return StringRef(Text).contains("exit") &&
           any_of(ptx::parse(Text).Instructions,
                  [](const ptx::Instruction &P) { return P.Opcode[0] == "exit"; });
  }
  return Call->getCalledFunction() && Call->getCalledFunction()->getName() == "llvm.nvvm.exit";
}

SmallVector<Instruction *, 4> exitsOf(Function &F) {
  SmallVector<Instruction *, 4> Exits;
  for (BasicBlock &BB : F)
    for (Instruction &I : BB)
      if (isa<ReturnInst>(I) || isThreadExit(I))
        Exits.push_back(&I);
  return Exits;
}

bool mayEndThread(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Call && ((Callee && Callee->hasFnAttribute(EndsThread)) || isThreadExit(I));
}

void splitAtThreadExits(Module &M) {
  SmallVector<Instruction *, 4> Ends;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (isThreadExit(I))
        Ends.push_back(&I);
  for (size_t N = 0; N < Ends.size(); ++N) { // grows by the calls reaching them
    Function &F = *Ends[N]->getFunction();
    if (F.hasFnAttribute(EndsThread))
      continue;
    F.addFnAttr(EndsThread);
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallInst>(U); Call && Call->getCalledFunction() == &F)
        Ends.push_back(Call);
  }
  for (Instruction *I : Ends)
    SplitBlock(I->getParent(), I->getNextNode());
}

bool mayRepeat(const BasicBlock &BB) { return cyclesPast(&BB, nullptr); }

DenseMap<const BasicBlock *, BasicBlock *> countingBlocks(Function &F) {
  DenseMap<const BasicBlock *, BasicBlock *> Counting;
  ReversePostOrderTraversal<Function *> Order(&F);
  // If threads end inside the function, the IR's edges are not the threads' ways; blocks of two steps are two
  // counts.
  if (F.size() <= LargestFunction &&
      none_of(instructions(F), [](const Instruction &I) { return mayEndThread(I) || maySwitchStep(I); })) {
    Executions Equal(F);
    if (Equal.isReducible(Order))
      return Equal.countingBlocks(Order);
  }
  for (BasicBlock *BB : Order)
    Counting[BB] = BB;
  return Counting;
}

} // namespace gpuprof
