// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "costs/GenericAccess.h"

#include "common/Compat.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuprof {
namespace {

unsigned spaceNumber(const Value &V) {
  const auto *T = dyn_cast<PointerType>(V.getType());
  return T ? T->getAddressSpace() : 0;
}

// Values with a space known to the code generator without further search (NVPTXLowerArgs, NVPTXLowerAlloca).
bool isKnown(const Value &V) {
  if (spaceNumber(V) != 0 || isa<AllocaInst, GlobalVariable, ConstantPointerNull, UndefValue>(V))
    return true;
  if (const auto *A = dyn_cast<Argument>(&V))
    return compat::isKernel(*A->getParent());
  const auto *Load = dyn_cast<LoadInst>(&V);
  const auto *Structure = Load ? dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand())) : nullptr;
  return Structure && Structure->hasByValAttr() && compat::isKernel(*Structure->getParent());
}

} // namespace

bool isGenericInPtx(const Value &Pointer, bool KeepsType) {
  if (spaceNumber(Pointer) != 0)
    return false;
  if (KeepsType)
    return true;
  SmallVector<const Value *, 8> Worklist = {&Pointer};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Worklist.empty()) {
    const Value *V = Worklist.pop_back_val();
    if (!Seen.insert(V).second || isKnown(*V))
      continue;
    if (const auto *Gep = dyn_cast<GEPOperator>(V))
      Worklist.push_back(Gep->getPointerOperand());
    else if (isa<AddrSpaceCastOperator, BitCastOperator, FreezeInst>(V))
      Worklist.push_back(cast<User>(V)->getOperand(0));
    else if (const auto *Phi = dyn_cast<PHINode>(V))
      Worklist.append(Phi->value_op_begin(), Phi->value_op_end());
    else if (const auto *Select = dyn_cast<SelectInst>(V))
      Worklist.append({Select->getTrueValue(), Select->getFalseValue()});
    else
      return true;
  }
  return false;
}

bool isScopedAtomic(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->getName().starts_with("llvm.nvvm.atomic.");
}

} // namespace gpuprof
