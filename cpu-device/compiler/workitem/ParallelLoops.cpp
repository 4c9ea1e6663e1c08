// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/ParallelLoops.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// All threads add to counters; only counters' addresses are computed from integers. Variables of the block
// are shared, too.
bool mayBeShared(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer);
  const auto *Variable = dyn_cast<AllocaInst>(Object);
  return Operator::getOpcode(Object) == Instruction::IntToPtr ||
         (Variable && !Variable->getAllocatedType()->isArrayTy());
}

bool isThreadLocal(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && !mayBeShared(Load->getPointerOperand());
  const auto *Store = dyn_cast<StoreInst>(&I);
  return Store && Store->isSimple() && !mayBeShared(Store->getPointerOperand());
}
} // namespace

void markParallelLoop(Instruction &Latch, ArrayRef<BasicBlock *> Blocks, bool IsPart) {
  LLVMContext &C = Latch.getContext();
  MDNode *Group = MDNode::getDistinct(C, {});
  for (BasicBlock *Block : Blocks)
    for (Instruction &I : *Block)
      if (isThreadLocal(I))
        I.setMetadata(LLVMContext::MD_access_group, Group);
  Metadata *Accesses[] = {MDString::get(C, "llvm.loop.parallel_accesses"), Group};
  SmallVector<Metadata *> Properties = {nullptr, MDNode::get(C, Accesses)};
  if (IsPart)
    Properties.push_back(MDNode::get(C, {MDString::get(C, "llvm.loop.unroll.disable")}));
  MDNode *Loop = MDNode::getDistinct(C, Properties);
  Loop->replaceOperandWith(0, Loop);
  Latch.setMetadata(LLVMContext::MD_loop, Loop);
}
} // namespace gpuprof::cpu
