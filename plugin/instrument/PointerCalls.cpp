// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/PointerCalls.h"

#include "common/Compat.h"
#include "directives/DirectiveLowering.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"

#include <cassert>

using namespace llvm;

namespace gpuprof {
namespace {

// Of a comparison of a called pointer with a function.
constexpr StringLiteral DirectCallTag = "gpuprof.direct";

// Each function adds its groups to every kernel calling one of its type by a pointer.
constexpr size_t MostCallees = 16;

using Callees = DenseMap<const FunctionType *, SmallVector<Function *, 4>>;

Callees addressedFunctions(Module &M) {
  Callees Functions;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.isVarArg() && !compat::isKernel(F) && F.hasAddressTaken())
      Functions[F.getFunctionType()].push_back(&F);
  return Functions;
}

void addDirectCall(CallInst &Call, Function &Callee) {
  BasicBlock *Before = Call.getParent();
  promoteCallWithIfThenElse(Call, &Callee);
  auto *Branch = cast<BranchInst>(Before->getTerminator());
  auto *Comparison = cast<ICmpInst>(Branch->getCondition());
  markOwn(*Comparison);
  Comparison->setMetadata(DirectCallTag, MDNode::get(Call.getContext(), {}));
}

// Counters in front of a counted call may have moved it into another block.
bool isUncounted(const BranchInst &Branch, const Value &Callee) {
  return any_of(*Branch.getSuccessor(0), [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallInst>(&I);
    return Call && Call->getCalledOperand() == &Callee;
  });
}

void removeDirectCall(ICmpInst &Comparison, BranchInst &Branch) {
  BasicBlock *Direct = Branch.getSuccessor(0), *Otherwise = Branch.getSuccessor(1),
             *Behind = Direct->getSingleSuccessor();
  assert(Behind && "a direct call goes on where the call by the pointer does");
  ReplaceInstWithInst(&Branch, BranchInst::Create(Otherwise));
  DeleteDeadBlock(Direct);
  Comparison.eraseFromParent();
  MergeBlockIntoPredecessor(Otherwise);
  MergeBlockIntoPredecessor(Behind);
}

} // namespace

void addDirectCalls(Module &M) {
  const Callees Functions = addressedFunctions(M);
  SmallVector<CallInst *, 16> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isIndirectCall() && !Call->isMustTailCall())
        Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    const auto Known = Functions.find(Call->getFunctionType());
    if (Known == Functions.end() || Known->second.size() > MostCallees)
      continue;
    for (Function *Callee : Known->second)
      addDirectCall(*Call, *Callee);
  }
}

void removeUncountedDirectCalls(Module &M) {
  SmallVector<ICmpInst *, 16> Comparisons;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (I.hasMetadata(DirectCallTag))
        Comparisons.push_back(cast<ICmpInst>(&I));
  for (ICmpInst *Comparison : Comparisons) {
    auto *Branch = cast<BranchInst>(Comparison->user_back());
    if (isUncounted(*Branch, *Comparison->getOperand(1)))
      removeDirectCall(*Comparison, *Branch);
    else
      Comparison->setMetadata(DirectCallTag, nullptr);
  }
}

} // namespace gpuprof
