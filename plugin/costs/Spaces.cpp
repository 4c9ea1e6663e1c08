// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "costs/Spaces.h"

#include "common/Compat.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <optional>

using namespace llvm;

namespace gpuprof {
namespace {

// NVPTX's numbers. Generic is 0; the parameter space is read through the constant bank.
std::optional<Space> spaceOfNumber(unsigned AddressSpace) {
  switch (AddressSpace) {
  case 1:
    return Space::Global;
  case 3:
  case 7: // shared memory of the cluster
    return Space::Shared;
  case 4:
  case 101:
    return Space::Constant;
  case 5:
    return Space::Local;
  default:
    return std::nullopt;
  }
}

class Walk {
public:
  Space run(const Value &Pointer) {
    follow(&Pointer);
    while (!Worklist.empty() && !Failed)
      visit(*Worklist.pop_back_val());
    if (Failed)
      return Space::Unknown;
    return Found.value_or(Space::Global); // only null or undefined: never executed
  }

private:
  void follow(const Value *V) {
    if (Seen.insert(V).second)
      Worklist.push_back(V);
  }

  void found(Space S) {
    if (Found && *Found != S)
      Failed = true;
    Found = S;
  }

  void visit(const Value &V) {
    if (const auto *Pointer = dyn_cast<PointerType>(V.getType()))
      if (std::optional<Space> S = spaceOfNumber(Pointer->getAddressSpace()))
        return found(*S);
    if (const auto *GEP = dyn_cast<GEPOperator>(&V))
      return follow(GEP->getPointerOperand());
    if (isa<AddrSpaceCastOperator, BitCastOperator>(V) || isAddressKept(V))
      return follow(cast<Operator>(V).getOperand(0));
    if (isa<AllocaInst>(V))
      return found(Space::Local);
    if (isa<GlobalVariable>(V))
      return found(Space::Global);
    if (isa<ConstantPointerNull, UndefValue>(V))
      return;
    if (const auto *Argument = dyn_cast<llvm::Argument>(&V))
      return visitArgument(*Argument);
    if (const auto *Phi = dyn_cast<PHINode>(&V)) {
      for (const Value *Incoming : Phi->incoming_values())
        follow(Incoming);
      return;
    }
    if (const auto *Select = dyn_cast<SelectInst>(&V)) {
      follow(Select->getTrueValue());
      return follow(Select->getFalseValue());
    }
    if (const auto *Freeze = dyn_cast<FreezeInst>(&V))
      return follow(Freeze->getOperand(0));
    if (const auto *Load = dyn_cast<LoadInst>(&V))
      return visitLoaded(*Load->getPointerOperand(), Load->getType()->isPointerTy());
    if (const auto *Extract = dyn_cast<ExtractValueInst>(&V))
      if (const auto *Load = dyn_cast<LoadInst>(Extract->getAggregateOperand()))
        return visitLoaded(*Load->getPointerOperand(), V.getType()->isPointerTy());
    if (const auto *Call = dyn_cast<CallBase>(&V))
      return visitCall(*Call);
    Failed = true;
  }

  // The optimiser copies a structure containing a pointer as a number, and converts it back later.
  static bool isAddressKept(const Value &V) {
    const auto *Cast = dyn_cast<Operator>(&V);
    const unsigned Opcode = Cast ? Cast->getOpcode() : 0;
    if (Opcode != Instruction::IntToPtr && Opcode != Instruction::PtrToInt)
      return false;
    const Value &Number = Opcode == Instruction::IntToPtr ? *Cast->getOperand(0) : V;
    return Number.getType()->isIntegerTy(64); // fewer bits hold no generic address
  }

  // Arguments of a kernel point to global memory. Arguments of a function come from its callers in this
  // module.
  void visitArgument(const Argument &A) {
    const Function &F = *A.getParent();
    if (A.hasByValAttr())
      return found(compat::isKernel(F) ? Space::Constant : Space::Local);
    if (compat::isKernel(F))
      return found(Space::Global);
    bool Called = false;
    for (const User *U : F.users()) {
      const auto *Call = dyn_cast<CallBase>(U);
      if (!Call || Call->getCalledOperand() != &F || A.getArgNo() >= Call->arg_size()) {
        Failed = true; // its address is taken
        return;
      }
      Called = true;
      follow(Call->getArgOperand(A.getArgNo()));
    }
    Failed |= !Called;
  }

  void visitCall(const CallBase &Call) {
    const Function *Callee = Call.getCalledFunction();
    if (const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand())) {
      if (StringRef(compat::asmText(*Asm)).trim().starts_with("mapa.")) // of another block of the cluster
        return found(Space::Shared);
      Failed = true;
    } else if (!Callee) {
      Failed = true;
    } else if (!Callee->isDeclaration()) {
      for (const BasicBlock &BB : *Callee)
        if (const auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()); Return && Return->getReturnValue())
          follow(Return->getReturnValue());
    } else if (Callee->getName() == "malloc") {
      found(Space::Global);
    } else if (Callee->isIntrinsic() && Call.arg_size() > 0 &&
               Call.getArgOperand(0)->getType()->isPointerTy()) {
      follow(Call.getArgOperand(0)); // ptrmask, launder.invariant.group, nvvm.ptr.*: the same object
    } else {
      Failed = true;
    }
  }

  // A pointer read from memory. Stores to a variable of this function are visible. Elsewhere (arguments,
  // arrays of pointers) only global addresses make sense, as they outlive the thread.
  void visitLoaded(const Value &From, bool IsPointer) {
    const auto *Variable = dyn_cast<AllocaInst>(underlyingObject(From));
    if (!Variable)
      found(Space::Global);
    else if (IsPointer)
      visitStores(*Variable);
    else
      Failed = true; // the stored number that is an address is unknown
  }

  void visitStores(const Value &Address) {
    if (!Stores.insert(&Address).second)
      return;
    for (const User *U : Address.users()) {
      if (const auto *Store = dyn_cast<StoreInst>(U)) {
        if (Store->getValueOperand() == &Address)
          Failed = true; // the variable's address escapes
        else if (Store->getValueOperand()->getType()->isPointerTy())
          follow(Store->getValueOperand());
      } else if (isa<GEPOperator, AddrSpaceCastOperator, BitCastOperator>(U)) {
        visitStores(*U);
      } else if (const auto *Copy = dyn_cast<MemTransferInst>(U)) {
        if (Copy->getRawDest() == &Address)
          visitLoaded(*Copy->getRawSource(), true);
      } else if (const auto *Call = dyn_cast<CallBase>(U)) {
        Failed |= !isa<IntrinsicInst>(Call);
      } else if (!isa<LoadInst, ICmpInst>(U)) {
        Failed = true;
      }
    }
  }

  static const Value *underlyingObject(const Value &V) {
    const Value *Object = &V;
    while (isa<GEPOperator, AddrSpaceCastOperator, BitCastOperator>(Object))
      Object = cast<Operator>(Object)->getOperand(0);
    return Object;
  }

  SmallPtrSet<const Value *, 16> Seen, Stores;
  SmallVector<const Value *, 16> Worklist;
  std::optional<Space> Found;
  bool Failed = false;
};

} // namespace

Space spaceOf(const Value &Pointer) { return Walk().run(Pointer); }

} // namespace gpuprof
