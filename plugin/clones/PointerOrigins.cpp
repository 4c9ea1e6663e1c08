// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/PointerOrigins.h"

#include "analysis/Groups.h"
#include "common/Compat.h"
#include "costs/PtxCosts.h"
#include "directives/ConditionalCosts.h"
#include "directives/DirectiveLowering.h"
#include "ptx/Ptx.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprof {
namespace {

// Waiting, talking to other lanes and to the user writes no global memory of the program's.
constexpr StringLiteral NotWriting[] = {"llvm.nvvm.barrier",   "llvm.nvvm.bar.",   "llvm.nvvm.membar",     "llvm.nvvm.shfl",
                                        "llvm.nvvm.vote",      "llvm.nvvm.match",  "llvm.nvvm.redux",      "llvm.nvvm.fence",
                                        "llvm.nvvm.nanosleep", "llvm.assume",      "llvm.nvvm.activemask", "llvm.trap",
                                        "vprintf",             "__assertfail",     "cudaGraphSetConditional"};

// clang declares every statement as writing memory. Copies into shared memory write no other.
bool mayWriteGlobal(const CallBase &Statement, const InlineAsm &Asm) {
  const ptx::Program Program = ptx::parse(compat::asmText(Asm));
  return !Program.Error.empty() || any_of(Program.Instructions, [&](const ptx::Instruction &I) {
    const PtxCost Cost = costOfPtx(Statement, I);
    const bool IsKnown = Cost.Whole.Why.empty() || I.Opcode[0] == "ld" ||
                         (!Cost.Size.Operand.empty() && !is_contained(Cost.Size.PerByte, CostClass::global_store) &&
                          !is_contained(Cost.Size.PerByte, CostClass::global_atomic));
    return !IsKnown || I.Opcode[0] == "tensormap" || I.Opcode[0] == "discard" ||
           any_of(Cost.Whole.Amounts, [](auto Amount) {
             return Amount.first == CostClass::global_store || Amount.first == CostClass::global_atomic;
           });
  });
}

// Directives become counters, which are no memory of the program's; a lifetime writes nothing.
bool concernsNoMemory(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return (Call && (asDirectiveCall(*Call) || isAccessMarker(*Call))) || (Intrinsic && Intrinsic->isLifetimeStartOrEnd());
}

} // namespace

bool isOnlyRead(const Value &Pointer) {
  return all_of(Pointer.users(), [&](const User *U) {
    if (isa<GetElementPtrInst>(U) || isa<CastInst>(U))
      return U->getType()->isPointerTy() && isOnlyRead(*U);
    if (const auto *Copy = dyn_cast<MemTransferInst>(U))
      return Copy->getRawDest() != &Pointer;
    return isa<LoadInst>(U) || isa<CmpInst>(U);
  });
}

bool mayWriteGlobal(const Instruction &I) {
  if (!I.mayWriteToMemory() || isa<FenceInst>(I))
    return false;
  const auto *Call = dyn_cast<CallBase>(&I);
  if (const auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr)
    return mayWriteGlobal(*Call, *Asm);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return !Callee || none_of(NotWriting, [&](StringRef Name) { return Callee->getName().starts_with(Name); });
}

PointerOrigins originsOf(const Value &Pointer, LoopInfo &Loops, const DataLayout &Layout) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&Pointer, Objects, &Loops, /*MaxLookup=*/0);
  SmallVector<PointerPlace, 2> Places;
  for (const Value *Object : Objects) {
    if (const auto *Parameter = dyn_cast<Argument>(Object)) {
      if (!Parameter->hasByValAttr()) // otherwise it is the thread's own
        Places.push_back({Parameter->getArgNo(), 0});
    } else if (const auto *Load = dyn_cast<LoadInst>(Object)) {
      APInt Offset(Layout.getIndexTypeSizeInBits(Load->getPointerOperandType()), 0);
      const auto *Structure = dyn_cast<Argument>(
          Load->getPointerOperand()->stripAndAccumulateConstantOffsets(Layout, Offset, true));
      if (!Structure || !Structure->hasByValAttr() || !isOnlyRead(*Structure))
        return std::nullopt;
      Places.push_back({Structure->getArgNo(), Offset.getZExtValue()});
    } else if (!isa<AllocaInst>(Object) && !isa<ConstantPointerNull>(Object)) {
      const auto *Variable = dyn_cast<GlobalVariable>(Object);
      if (!Variable || Variable->getAddressSpace() != 3)
        return std::nullopt;
    }
  }
  return Places;
}

PointerOrigins originsOfWrite(const Instruction &I, LoopInfo &Loops, const DataLayout &Layout) {
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return originsOf(*Store->getPointerOperand(), Loops, Layout);
  if (const auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return originsOf(*Update->getPointerOperand(), Loops, Layout);
  if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return originsOf(*Exchange->getPointerOperand(), Loops, Layout);
  if (const auto *Fill = dyn_cast<MemIntrinsic>(&I))
    return originsOf(*Fill->getRawDest(), Loops, Layout);
  return std::nullopt;
}

PointerOrigins storesOf(Function &Kernel, LoopInfo &Loops) {
  const DataLayout &Layout = Kernel.getParent()->getDataLayout();
  SmallVector<PointerPlace, 2> Places;
  for (const Instruction &I : instructions(Kernel)) {
    if (concernsNoMemory(I) || !mayWriteGlobal(I))
      continue;
    const PointerOrigins Written = originsOfWrite(I, Loops, Layout);
    if (!Written)
      return std::nullopt;
    addPlaces(Places, *Written);
  }
  return Places;
}

void addPlaces(SmallVectorImpl<PointerPlace> &To, ArrayRef<PointerPlace> Places) {
  for (const PointerPlace &Place : Places)
    if (!is_contained(To, Place))
      To.push_back(Place);
}

} // namespace gpuprof
