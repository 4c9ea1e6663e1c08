// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/GlobalAccesses.h"
#include "module/Lowering.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {

class Collector {
public:
  Collector(const Lowering &L, const DataLayout &Layout) : L(L), Layout(Layout) {}
  void collect(Instruction &I);
  SmallVector<GlobalAccess> Accesses;

private:
  bool mayBeGlobal(const Value *V, SmallPtrSetImpl<const Value *> &Seen) const;
  bool mayBeGlobal(const Value *V) const {
    SmallPtrSet<const Value *, 8> Seen;
    return mayBeGlobal(V, Seen);
  }
  bool ownNumber(const Value *V, SmallPtrSetImpl<const Value *> &Seen) const;
  void add(Instruction &I, Value *Pointer, Type *T, Align A);
  void addBlock(Instruction &I, Value *Pointer, Value *Length, Align A);

  const Lowering &L;
  const DataLayout &Layout;
};

bool ownVariable(const Value *V) {
  const auto *G = dyn_cast<GlobalVariable>(V->stripPointerCasts());
  return G && G->getName().contains("__gpuprof_");
}

// A number read from gpuprof's own variables: the address of a kernel's counters.
bool Collector::ownNumber(const Value *V, SmallPtrSetImpl<const Value *> &Seen) const {
  if (!Seen.insert(V).second)
    return false;
  if (const auto *Load = dyn_cast<LoadInst>(V))
    return ownVariable(getUnderlyingObject(Load->getPointerOperand()));
  if (const auto *Op = dyn_cast<BinaryOperator>(V))
    return ownNumber(Op->getOperand(0), Seen) || ownNumber(Op->getOperand(1), Seen);
  if (const auto *Phi = dyn_cast<PHINode>(V))
    return any_of(Phi->incoming_values(), [&](const Use &U) { return ownNumber(U, Seen); });
  return false;
}

bool Collector::mayBeGlobal(const Value *V, SmallPtrSetImpl<const Value *> &Seen) const {
  for (;;) {
    if (!Seen.insert(V).second)
      return false;
    const unsigned Space = V->getType()->getPointerAddressSpace();
    if (Space == AsShared || Space == AsConstant || Space == AsLocal || L.isThread(V))
      return false;
    if (const auto *Gep = dyn_cast<GEPOperator>(V))
      V = Gep->getPointerOperand();
    else if (Operator::getOpcode(V) == Instruction::AddrSpaceCast ||
             Operator::getOpcode(V) == Instruction::BitCast)
      V = cast<Operator>(V)->getOperand(0);
    else
      break;
  }
  if (const auto *Phi = dyn_cast<PHINode>(V))
    return any_of(Phi->incoming_values(), [&](const Use &U) { return mayBeGlobal(U, Seen); });
  if (const auto *Select = dyn_cast<SelectInst>(V))
    return mayBeGlobal(Select->getTrueValue(), Seen) || mayBeGlobal(Select->getFalseValue(), Seen);
  if (const auto *G = dyn_cast<GlobalVariable>(V))
    return !G->isConstant() && !ownVariable(G);
  if (const auto *Load = dyn_cast<LoadInst>(V))
    return !L.isThread(getUnderlyingObject(Load->getPointerOperand())) &&
           !ownVariable(getUnderlyingObject(Load->getPointerOperand()));
  if (Operator::getOpcode(V) == Instruction::IntToPtr)
    return !ownNumber(cast<Operator>(V)->getOperand(0), Seen);
  return !isa<AllocaInst>(V) && !isa<ConstantPointerNull>(V) && !isa<UndefValue>(V) &&
         !L.ParameterPointers.contains(V);
}

void Collector::add(Instruction &I, Value *Pointer, Type *T, Align A) {
  const uint64_t Bytes = Layout.getTypeStoreSize(T).getFixedValue();
  if (Bytes && mayBeGlobal(Pointer))
    Accesses.push_back({&I, Pointer, Bytes, nullptr, A.value()});
}

void Collector::addBlock(Instruction &I, Value *Pointer, Value *Length, Align A) {
  const auto *Known = dyn_cast<ConstantInt>(Length);
  if ((Known && Known->isZero()) || !mayBeGlobal(Pointer))
    return;
  const uint64_t Alignment = A.value();
  if (Known)
    Accesses.push_back({&I, Pointer, Known->getZExtValue(), nullptr, Alignment, true});
  else
    Accesses.push_back({&I, Pointer, 0, Length, Alignment, true});
}

void Collector::collect(Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    add(I, Load->getPointerOperand(), Load->getType(), Load->getAlign());
  else if (auto *Store = dyn_cast<StoreInst>(&I))
    add(I, Store->getPointerOperand(), Store->getValueOperand()->getType(), Store->getAlign());
  else if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    add(I, Update->getPointerOperand(), Update->getValOperand()->getType(), Update->getAlign());
  else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    add(I, Exchange->getPointerOperand(), Exchange->getNewValOperand()->getType(), Exchange->getAlign());
  else if (auto *Fill = dyn_cast<MemIntrinsic>(&I)) {
    // The side with the smaller alignment determines the pieces of a copy.
    Align A = Fill->getDestAlign().valueOrOne();
    auto *Copy = dyn_cast<MemTransferInst>(&I);
    if (Copy)
      A = std::min(A, Copy->getSourceAlign().valueOrOne());
    addBlock(I, Fill->getRawDest(), Fill->getLength(), A);
    if (Copy)
      addBlock(I, Copy->getRawSource(), Copy->getLength(), A);
  }
}

} // namespace

SmallVector<GlobalAccess> globalAccesses(const Lowering &L, Function &F) {
  Collector Found(L, F.getParent()->getDataLayout());
  for (Instruction &I : instructions(F))
    Found.collect(I);
  return std::move(Found.Accesses);
}

SmallVector<GlobalAccess> distinctAccesses(const Lowering &L, Function &F) {
  SmallVector<GlobalAccess> Left;
  for (const GlobalAccess &A : globalAccesses(L, F))
    if (A.Length || none_of(Left, [&](const GlobalAccess &Old) {
          return Old.At->getParent() == A.At->getParent() && Old.Pointer == A.Pointer && Old.Bytes >= A.Bytes;
        }))
      Left.push_back(A);
  return Left;
}
} // namespace gpuprof::cpu
