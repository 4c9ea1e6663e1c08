// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With -fsanitize=address the emulator checks each access of global or shared memory first: it knows the
// program's allocations. Local arrays are left to AddressSanitizer itself.
#include "lower/AddressChecks.h"
#include "module/Lowering.h"
#include "module/SourceLocations.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
enum Kind : unsigned { Load, Store, Atomic }; // as cpu-device/engine/address_checks.c has them

// Memory of gpuprof, the thread's stack and constants need no check.
bool needsNoCheck(const Lowering &L, const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer, 0);
  if (isa<AllocaInst>(Object) || L.ParameterPointers.contains(Object))
    return true;
  if (const auto *Variable = dyn_cast<GlobalVariable>(Object))
    return Variable->isConstant() || Variable->getName().contains("__gpuprof_");
  return L.isThread(Object) && Pointer->getType()->getPointerAddressSpace() == AsGeneric &&
         !isa<CallBase>(Object); // a field of the thread's state
}

class Checker {
public:
  explicit Checker(Lowering &L) : L(L) {}

  void check(Instruction &I) {
    const DataLayout &Layout = L.M.getDataLayout();
    auto Size = [&](Type *T) { return Layout.getTypeStoreSize(T).getFixedValue(); };
    if (auto *A = dyn_cast<LoadInst>(&I))
      insert(I, A->getPointerOperand(), Size(A->getType()), Load);
    else if (auto *A = dyn_cast<StoreInst>(&I))
      insert(I, A->getPointerOperand(), Size(A->getValueOperand()->getType()), Store);
    else if (auto *A = dyn_cast<AtomicRMWInst>(&I))
      insert(I, A->getPointerOperand(), Size(A->getType()), Atomic);
    else if (auto *A = dyn_cast<AtomicCmpXchgInst>(&I))
      insert(I, A->getPointerOperand(), Size(A->getNewValOperand()->getType()), Atomic);
    else if (auto *A = dyn_cast<MemIntrinsic>(&I)) {
      insert(I, A->getRawDest(), A->getLength(), Store);
      if (auto *Copy = dyn_cast<MemTransferInst>(&I))
        insert(I, Copy->getRawSource(), Copy->getLength(), Load);
    }
  }

private:
  void insert(Instruction &I, Value *Pointer, uint64_t Bytes, Kind K) {
    insert(I, Pointer, ConstantInt::get(Type::getInt64Ty(I.getContext()), Bytes), K);
  }

  void insert(Instruction &I, Value *Pointer, Value *Bytes, Kind K) {
    if (needsNoCheck(L, Pointer))
      return;
    IRBuilder<> B(&I);
    Type *Generic = PointerType::get(I.getContext(), 0);
    if (Pointer->getType() != Generic)
      Pointer = B.CreateAddrSpaceCast(Pointer, Generic);
    B.CreateCall(L.entry("__gpuprof_cpu_check"),
                 {L.thread(*I.getFunction()), Pointer, B.CreateZExtOrTrunc(Bytes, B.getInt64Ty()),
                  B.getInt32(K), L.text(placeOf(I.getDebugLoc()))});
  }

  Lowering &L;
};
} // namespace

bool isSanitized(const Module &Host) {
  return any_of(Host, [](const Function &F) { return F.hasFnAttribute(Attribute::SanitizeAddress); });
}

void checkAccesses(Lowering &L) {
  Checker C(L);
  for (Function &F : L.M) {
    if (F.isDeclaration() || F.getName().contains("__gpuprof_"))
      continue;
    SmallVector<Instruction *> All;
    for (Instruction &I : instructions(F))
      All.push_back(&I);
    for (Instruction *I : All)
      C.check(*I);
    F.addFnAttr(Attribute::SanitizeAddress);
  }
}
} // namespace gpuprof::cpu
