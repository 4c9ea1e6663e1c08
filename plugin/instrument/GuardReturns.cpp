// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/GuardReturns.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuprof {
namespace {

// Beside fewer instructions the additions of two groups of threads, where one would do, take longer.
constexpr uint64_t FewestBehind = 200;

bool isNumberOfThread(const Value *V) {
  const auto *Read = dyn_cast<IntrinsicInst>(V);
  return Read && Read->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_x;
}

// threadIdx.x, or with other terms the thread's number in the grid.
bool containsNumberOfThread(const Value *V, unsigned Depth = 0) {
  constexpr unsigned Deepest = 4;
  if (isNumberOfThread(V))
    return true;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == Deepest || !(isa<CastInst>(I) || I->getOpcode() == Instruction::Add))
    return false;
  return any_of(I->operands(),
                [&](const Value *Operand) { return containsNumberOfThread(Operand, Depth + 1); });
}

// True if the condition has this value in one thread of a warp at most.
bool isOfOneThread(const Value *Condition, bool Is) {
  const Value *Left = nullptr, *Right = nullptr;
  if (Is ? match(Condition, m_LogicalAnd(m_Value(Left), m_Value(Right)))
         : match(Condition, m_LogicalOr(m_Value(Left), m_Value(Right))))
    return isOfOneThread(Left, Is) || isOfOneThread(Right, Is);
  const auto *Comparison = dyn_cast<ICmpInst>(Condition);
  return Comparison && Comparison->getPredicate() == (Is ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE) &&
         containsNumberOfThread(Comparison->getOperand(0)) !=
             containsNumberOfThread(Comparison->getOperand(1));
}

class GuardSeparation {
public:
  explicit GuardSeparation(Function &Kernel) : Kernel(Kernel), Dominators(Kernel) {}

  SeparateGuards run() {
    SeparateGuards Found;
    for (BasicBlock *BB : blocksOfOnePath())
      for (unsigned ToReturn : {0, 1})
        if (isGuard(*BB, ToReturn)) {
          BasicBlock *Return = BasicBlock::Create(Kernel.getContext(), "gpuprof.guard", &Kernel);
          Found.Returns.push_back(ReturnInst::Create(Kernel.getContext(), Return));
          BB->getTerminator()->setSuccessor(ToReturn, Return);
          for (const BasicBlock *Before = BB; Before; Before = Before->getSinglePredecessor())
            Found.Before.insert(Before);
        }
    return Found;
  }

private:
  // What a thread has counted there is known: one path leads to each, without turns.
  SmallVector<BasicBlock *, 16> blocksOfOnePath() {
    SmallVector<BasicBlock *, 16> Blocks = {&Kernel.getEntryBlock()};
    for (size_t I = 0; I < Blocks.size(); ++I)
      for (BasicBlock *Next : successors(Blocks[I]))
        if (Next->getSinglePredecessor())
          Blocks.push_back(Next);
    return Blocks;
  }

  bool isGuard(BasicBlock &BB, unsigned ToReturn) {
    const auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
    if (!Branch || !Branch->isConditional())
      return false;
    const BasicBlock *Return = Branch->getSuccessor(ToReturn), *Behind = Branch->getSuccessor(1 - ToReturn);
    return isa<ReturnInst>(Return->front()) && !Return->getSinglePredecessor() &&
           Behind->getSinglePredecessor() && isOfOneThread(Branch->getCondition(), ToReturn != 0) &&
           instructionsBehind(*Behind) >= FewestBehind;
  }

  uint64_t instructionsBehind(const BasicBlock &Behind) const {
    uint64_t Number = 0;
    for (const BasicBlock &BB : Kernel)
      if (Dominators.dominates(&Behind, &BB))
        for (const Instruction &I : BB) {
          const auto *Call = dyn_cast<CallBase>(&I);
          const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
          Number += 1 + (Callee ? Callee->getInstructionCount() : 0);
        }
    return Number;
  }

  Function &Kernel;
  DominatorTree Dominators; // of the kernel as it was
};

} // namespace

SeparateGuards separateGuards(Function &Kernel) { return GuardSeparation(Kernel).run(); }

} // namespace gpuprof
