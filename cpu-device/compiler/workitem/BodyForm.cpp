// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/BodyForm.h"
#include "module/AssignmentIds.h"
#include "workitem/ConvergentOps.h"
#include "workitem/MatrixRuns.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace gpuprof::cpu {
// Limit for a thread's values kept across cuts. The emulator gives a block a stack of
// GP_CPU_BLOCK_STACK_BYTES.
constexpr uint64_t MostBytesOfThread = 16 * 1024;

void promoteVariables(Function &F, const BlockCounts &Counts) {
  SmallVector<AllocaInst *> Variables;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I); A && isAllocaPromotable(A) && !Counts.isVariable(A))
      Variables.push_back(A);
  DominatorTree Dominators(F);
  PromoteMemToReg(Variables, Dominators);
}

bool hasVariables(const Function &F, const BlockCounts &Counts) {
  return any_of(F.getEntryBlock(),
                [&](const Instruction &I) { return isa<AllocaInst>(I) && !Counts.isVariable(&I); });
}

bool fitsStack(Function &F) {
  uint64_t Bytes = 0;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I))
      Bytes += F.getParent()->getDataLayout().getTypeAllocSize(A->getAllocatedType()) *
               cast<ConstantInt>(A->getArraySize())->getZExtValue();
  return Bytes <= MostBytesOfThread;
}

void dropLifetimes(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isa<LifetimeIntrinsic>(I))
      I.eraseFromParent();
}

void mergeReturns(Function &F) {
  SmallVector<ReturnInst *> Returns;
  for (BasicBlock &Block : F)
    if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator()))
      Returns.push_back(Return);
  if (Returns.size() < 2)
    return;
  BasicBlock *Common = BasicBlock::Create(F.getContext(), "return", &F);
  ReturnInst::Create(F.getContext(), Common);
  for (ReturnInst *Return : Returns) {
    IRBuilder<>(Return).CreateBr(Common);
    Return->eraseFromParent();
  }
}

void isolateConvergentOps(Function &F, const WarpRuns &Runs) {
  SmallVector<Instruction *> Found;
  for (Instruction &I : instructions(F))
    if (convergentOp(I) != ConvergentOp::None && !continuesRun(I) && !Runs.continues(I))
      Found.push_back(&I);
  for (Instruction *I : Found)
    SplitBlock(I->getParent(), I);
}

Function *copyForOneThread(Lowering &L, Kernel &K) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(K.Body, Map);
  Copy->setName(K.Body->getName() + ".one");
  renewAssignmentIds(*Copy);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->removeFnAttr(Attribute::AlwaysInline);
  for (Attribute::AttrKind Kind : {Attribute::NoInline, Attribute::OptimizeNone, Attribute::Cold})
    Copy->addFnAttr(Kind);
  L.setThread(*Copy, Copy->getArg(0));
  for (Argument &A : K.Body->args())
    if (L.ParameterPointers.contains(&A))
      L.ParameterPointers.insert(Copy->getArg(A.getArgNo()));
  return Copy;
}
} // namespace gpuprof::cpu
