// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/CommonReturns.h"

#include "common/Compat.h"
#include "ptx/Ptx.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <string_view>

using namespace llvm;

namespace gpuprof {
namespace {

using Blocks = SmallPtrSet<const BasicBlock *, 32>;

// Clang marks each inline assembly in CUDA as convergent, conversions too.
bool waitsInPtx(const ptx::Instruction &I) {
  static constexpr std::string_view Waiting[] = {"activemask", "bar", "barrier", "call", "elect", "tcgen05"};
  return is_contained(Waiting, I.Opcode[0]) || I.has("sync") || I.has("aligned");
}

bool mayWait(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || !Call->isConvergent())
    return false;
  const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand());
  if (!Asm)
    return true;
  const ptx::Program Program = ptx::parse(compat::asmText(*Asm));
  return !Program.Error.empty() || any_of(Program.Instructions, waitsInPtx);
}

// Blocks with a wait behind one of their edges.
Blocks blocksBeforeWaits(Function &F) {
  Blocks Before;
  SmallVector<const BasicBlock *, 32> Work;
  for (const BasicBlock &BB : F)
    if (any_of(BB, mayWait))
      Work.push_back(&BB);
  while (!Work.empty())
    for (const BasicBlock *Predecessor : predecessors(Work.pop_back_val()))
      if (Before.insert(Predecessor).second)
        Work.push_back(Predecessor);
  return Before;
}

struct PathsTogether {
  BasicBlock *Around; // the nearest common dominator
  BasicBlock *Return;
};

class ReturnSeparation {
public:
  ReturnSeparation(Function &F, const Blocks &BeforeWaits) : F(F), BeforeWaits(BeforeWaits), Dominators(F) {}

  void separate(BasicBlock &Return) {
    SmallVector<PathsTogether, 4> All;
    const SmallSetVector<BasicBlock *, 8> Paths(pred_begin(&Return), pred_end(&Return));
    for (BasicBlock *Path : Paths) {
      if (join(All, *Path, Return))
        continue;
      BasicBlock *Own = All.empty() ? &Return : newReturn();
      All.push_back({Path, Own});
      lead(*Path, Return, *Own);
    }
  }

private:
  bool join(MutableArrayRef<PathsTogether> All, BasicBlock &Path, BasicBlock &Return) {
    for (PathsTogether &Others : All) {
      BasicBlock *Around = Dominators.findNearestCommonDominator(Others.Around, &Path);
      if (!Around || BeforeWaits.contains(Around)) // null: one path is unreachable
        continue;
      Others.Around = Around;
      lead(Path, Return, *Others.Return);
      return true;
    }
    return false;
  }

  static void lead(BasicBlock &Path, BasicBlock &Return, BasicBlock &Own) {
    if (&Own != &Return)
      Path.getTerminator()->replaceSuccessorWith(&Return, &Own);
  }

  BasicBlock *newReturn() {
    BasicBlock *Own = BasicBlock::Create(F.getContext(), "gpuprof.return", &F);
    ReturnInst::Create(F.getContext(), Own);
    return Own;
  }

  Function &F;
  const Blocks &BeforeWaits;
  DominatorTree Dominators; // of the function as it was: new returns dominate nothing
};

} // namespace

void separateReturns(Function &F) {
  const Blocks BeforeWaits = blocksBeforeWaits(F);
  if (BeforeWaits.empty())
    return;
  SmallVector<BasicBlock *, 2> Returns;
  for (BasicBlock &BB : F)
    if (isa<ReturnInst>(BB.front()))
      Returns.push_back(&BB);
  ReturnSeparation Separation(F, BeforeWaits);
  for (BasicBlock *Return : Returns)
    Separation.separate(*Return);
}

SmallVector<Instruction *, 4> pathsToReturn(ReturnInst &Return, size_t Copies) {
  constexpr size_t MostCopies = 64;
  BasicBlock &Block = *Return.getParent();
  const SmallSetVector<BasicBlock *, 8> Before(pred_begin(&Block), pred_end(&Block));
  const bool IsBare = &*Block.getFirstInsertionPt() == &Return;
  const auto Branches = [](const BasicBlock *BB) { return isa<BranchInst, SwitchInst>(BB->getTerminator()); };
  if (!IsBare || Before.size() < 2 || Before.size() * Copies > MostCopies || !all_of(Before, Branches))
    return {&Return};
  SmallVector<Instruction *, 4> Ends;
  for (BasicBlock *Path : Before)
    Ends.push_back(SplitBlockPredecessors(&Block, {Path}, ".counts")->getTerminator());
  return Ends;
}

} // namespace gpuprof
