// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of shared memory have 32 bits on a GPU: an unsigned index that has gone below zero reads what
// lies before the array. Here they have 64, so that such an index is extended with its sign, which is the
// same modulo 2^32.
#include "lower/SharedIndices.h"
#include "lower/Lowering.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// Is `V` an index of 32 bits that may have gone below zero? What is known not to stays as it is, for the sake
// of loops whose accesses lie side by side.
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
// NVPTX's back end finds out which addresses are shared; until then most are generic.
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
