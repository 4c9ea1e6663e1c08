// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/LaneTable.h"
#include "workitem/ThreadArray.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuprof::cpu {
Value *laneFromTable(Lowering &L, IRBuilder<> &B, Value *Thread) {
  Module &M = L.M;
  GlobalVariable *Table = M.getNamedGlobal("gpuprof.lanes");
  if (!Table) {
    SmallVector<uint32_t> Lanes;
    for (unsigned Number = 0; Number != MostThreads; ++Number)
      Lanes.push_back(Number % 32);
    Constant *Values = ConstantDataArray::get(M.getContext(), Lanes);
    Table =
        new GlobalVariable(M, Values->getType(), true, GlobalValue::PrivateLinkage, Values, "gpuprof.lanes");
    Table->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    Table->setAlignment(Align(32));
  }
  LoadInst *Lane = B.CreateLoad(B.getInt32Ty(), B.CreateInBoundsGEP(B.getInt32Ty(), Table, Thread));
  Lane->setMetadata(LLVMContext::MD_range,
                    MDBuilder(M.getContext()).createRange(APInt(32, 0), APInt(32, 32)));
  return Lane;
}

// Uses of a thread's number in its row by its five lowest bits alone.
static void readFromTable(Lowering &L, Value &X, BasicBlock &First, const Loop &Own) {
  Value *Lane = nullptr;
  for (User *U : make_early_inc_range(X.users())) {
    auto *Masked = cast<Instruction>(U);
    const APInt *Bits = nullptr;
    if (!match(Masked, m_And(m_Specific(&X), m_APInt(Bits))) || Bits->ugt(31) || !Own.contains(Masked))
      continue;
    if (!Lane) {
      IRBuilder<> B(isa<PHINode>(X) ? &*First.getFirstInsertionPt() : cast<Instruction>(X).getNextNode());
      Lane = laneFromTable(L, B, B.CreateZExt(&X, B.getInt64Ty()));
    }
    Masked->setOperand(0, Lane);
  }
}

void readLanesFromTable(Lowering &L, Function &Body, ArrayRef<LoopNest> Loops) {
  const DominatorTree Dominators(Body);
  const LoopInfo Known(Dominators);
  for (const LoopNest &Nest : Loops)
    if (const Loop *Own = Known.getLoopFor(Nest.First); Own && Own->isInnermost())
      readFromTable(L, *Nest.Position[2], *Nest.First, *Own);
}
} // namespace gpuprof::cpu
