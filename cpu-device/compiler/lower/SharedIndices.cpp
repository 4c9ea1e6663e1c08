// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of shared memory have 32 bits on a GPU: an unsigned index below zero reads memory before the
// array. Here they have 64 bits: such an index is sign-extended, with the same value modulo 2^32.
#include "lower/SharedIndices.h"
#include "module/Lowering.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// True if `V` is an index of 32 bits possibly below zero. Provably non-negative indices stay unchanged, to
// keep accesses of loops contiguous.
const ZExtInst *wrapping(const Value *V, const DataLayout &Data) {
  const auto *Wide = dyn_cast<ZExtInst>(V);
  if (!Wide || !Wide->getSrcTy()->isIntegerTy(32))
    return nullptr;
  const Value *Narrow = Wide->getOperand(0);
  const auto *Operation = dyn_cast<OverflowingBinaryOperator>(Narrow);
  if ((Operation && Operation->hasNoUnsignedWrap()) || isa<LoadInst>(Narrow) || isa<PHINode>(Narrow) ||
      computeKnownBits(Narrow, Data).isNonNegative())
    return nullptr;
  return Wide;
}
// NVPTX's back end finds the shared addresses; until then most are generic.
bool isShared(const Value *Address) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects);
  return all_of(Objects, [](const Value *Object) {
    return Object->getType()->isPointerTy() && Object->getType()->getPointerAddressSpace() == AsShared;
  });
}
} // namespace

void wrapSharedIndices(Lowering &L) {
  const DataLayout &Data = L.M.getDataLayout();
  SmallVector<GetElementPtrInst *> Found;
  for (Function &F : L.M)
    for (Instruction &I : instructions(F))
      if (auto *Address = dyn_cast<GetElementPtrInst>(&I);
          Address && Address->getType()->isPointerTy() &&
          any_of(Address->indices(), [&](const Use &Index) { return wrapping(Index, Data); }) &&
          isShared(Address))
        Found.push_back(Address);
  for (GetElementPtrInst *Address : Found) {
    IRBuilder<> B(Address);
    SmallVector<Value *> Indices;
    for (Value *Index : Address->indices()) {
      const ZExtInst *Wide = wrapping(Index, Data);
      Indices.push_back(Wide ? B.CreateSExt(Wide->getOperand(0), Wide->getType()) : Index);
    }
    Address->replaceAllUsesWith(
        B.CreateGEP(Address->getSourceElementType(), Address->getPointerOperand(), Indices));
    Address->eraseFromParent();
  }
}
} // namespace gpuprof::cpu
