// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory: variables of address space 3 become offsets from gpuprof_cpu_thread.shared.
#include "lower/SharedMemory.h"
#include "common/Compat.h"
#include "module/Lowering.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
using VariableSet = SmallSetVector<GlobalVariable *, 8>;

struct Layout {
  DenseMap<GlobalVariable *, uint64_t> Offsets; // of static variables
  DenseMap<Function *, uint64_t> DynamicBase;   // start of `extern __shared__` memory, by function
};

bool isDynamic(const GlobalVariable &V) {
  return V.isDeclaration() || V.getValueType()->isEmptyTy() ||
         (isa<ArrayType>(V.getValueType()) && !V.getValueType()->getArrayNumElements());
}

VariableSet usedBy(Function &F) {
  VariableSet Used;
  for (Instruction &I : instructions(F))
    for (Value *Operand : I.operands())
      if (auto *V = dyn_cast<GlobalVariable>(Operand); V && V->getAddressSpace() == AsShared)
        Used.insert(V);
  return Used;
}

// A variable lies behind all others of its kernels; variables without a common kernel overlap.
void place(Lowering &L, const std::vector<VariableSet> &OfKernel, Layout &Result) {
  for (GlobalVariable &V : L.M.globals()) {
    if (V.getAddressSpace() != AsShared || isDynamic(V))
      continue;
    uint64_t Offset = 0;
    for (const VariableSet &Neighbours : OfKernel)
      if (Neighbours.contains(&V))
        for (GlobalVariable *Other : Neighbours)
          if (auto Placed = Result.Offsets.find(Other); Placed != Result.Offsets.end())
            Offset = std::max<uint64_t>(
                Offset, Placed->second + L.M.getDataLayout().getTypeAllocSize(Other->getValueType()));
    const DataLayout &Data = L.M.getDataLayout();
    Align Alignment = V.getAlign().value_or(Data.getABITypeAlign(V.getValueType()));
    // Programs read arrays of float as float4. On x86, too, this may use instructions needing the alignment.
    if (Data.getTypeAllocSize(V.getValueType()) % 16 == 0)
      Alignment = std::max(Alignment, Align(16));
    Result.Offsets[&V] = alignTo(Offset, Alignment);
  }
}

void size(Lowering &L, const std::vector<VariableSet> &OfKernel, const Layout &Result) {
  for (unsigned I = 0; I != L.Kernels.size(); ++I)
    for (GlobalVariable *V : OfKernel[I])
      if (auto Placed = Result.Offsets.find(V); Placed != Result.Offsets.end())
        L.Kernels[I].StaticShared =
            std::max<uint32_t>(L.Kernels[I].StaticShared,
                               Placed->second + L.M.getDataLayout().getTypeAllocSize(V->getValueType()));
}

// Aligns the end of static memory for the dynamic memory behind it, as `extern __shared__ __align__(…)`
// demands.
void alignDynamic(Lowering &L, const std::vector<VariableSet> &OfKernel) {
  const Align Least(16), Most(1024); // shared memory itself has no larger alignment
  for (unsigned I = 0; I != L.Kernels.size(); ++I)
    for (const GlobalVariable *V : OfKernel[I])
      if (const Align Asked = V->getAlign().valueOrOne(); isDynamic(*V) && Asked > Least)
        L.Kernels[I].StaticShared =
            static_cast<uint32_t>(alignTo(L.Kernels[I].StaticShared, std::min(Asked, Most)));
}

// A function called by several kernels sees its dynamic memory at one offset: those kernels get equal static
// sizes.
void agreeOnDynamic(Lowering &L, const std::vector<SmallPtrSet<Function *, 16>> &Reached,
                    const DenseMap<Function *, VariableSet> &Used) {
  auto UsesDynamic = [&](Function *F) {
    auto Found = Used.find(F);
    return Found != Used.end() && any_of(Found->second, [](GlobalVariable *V) { return isDynamic(*V); });
  };
  uint32_t Largest = 0;
  SmallVector<Kernel *> Sharing;
  for (unsigned I = 0; I != L.Kernels.size(); ++I) {
    Kernel &K = L.Kernels[I];
    if (!any_of(Reached[I], [&](Function *F) { return F != K.Body && UsesDynamic(F); }))
      continue;
    Sharing.push_back(&K);
    Largest = std::max(Largest, K.StaticShared);
  }
  for (Kernel *K : Sharing)
    K->StaticShared = Largest;
}

// The layout of shared variables is decided for the kernels of this file alone.
void stopForOtherUnits(Lowering &L) {
  for (Function &F : L.M)
    if (!F.isDeclaration() && isForOtherUnits(F) &&
        any_of(L.reachable(F), [](Function *Reached) { return !usedBy(*Reached).empty(); }))
      L.unsupported(*F.getEntryBlock().getFirstInsertionPt(),
                    "shared variables of function '" +
                        F.getName().drop_back(StringRef(GPUPROF_COUNTED_SUFFIX).size()) +
                        "', which another file calls");
}

void replaceUses(Lowering &L, GlobalVariable &V, const Layout &Result) {
  for (Use &U : make_early_inc_range(V.uses())) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I)
      continue;
    // A phi reads its operand at the end of the incoming block.
    auto *Phi = dyn_cast<PHINode>(I);
    IRBuilder<> B(Phi ? Phi->getIncomingBlock(U)->getTerminator() : I);
    auto Static = Result.Offsets.find(&V);
    const uint64_t Offset =
        Static != Result.Offsets.end() ? Static->second : Result.DynamicBase.lookup(I->getFunction());
    Value *Base = L.load(B, Field::shared);
    Value *Address =
        B.CreateAddrSpaceCast(B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset), V.getType());
    if (!Phi) {
      U.set(Address);
      continue;
    }
    BasicBlock *From = Phi->getIncomingBlock(U);
    for (unsigned N = 0; N != Phi->getNumIncomingValues(); ++N) // one value for each edge from a block
      if (Phi->getIncomingBlock(N) == From && Phi->getIncomingValue(N) == &V)
        Phi->setIncomingValue(N, Address);
  }
}
} // namespace

void lowerShared(Lowering &L) {
  SmallVector<GlobalVariable *> Variables;
  SmallVector<Constant *> Constants;
  for (GlobalVariable &V : L.M.globals())
    if (V.getAddressSpace() == AsShared) {
      Variables.push_back(&V);
      Constants.push_back(&V);
    }
  if (Variables.empty())
    return;
  compat::expandConstantUsers(Constants);
  stopForOtherUnits(L);

  DenseMap<Function *, VariableSet> Used;
  for (Function &F : L.M)
    if (VariableSet Set = usedBy(F); !Set.empty())
      Used[&F] = Set;
  std::vector<SmallPtrSet<Function *, 16>> Reached;
  std::vector<VariableSet> OfKernel;
  for (Kernel &K : L.Kernels) {
    Reached.push_back(L.reachable(*K.Body));
    VariableSet All;
    for (Function &F : L.M) // in module order: the layout is the same in each run
      if (Reached.back().contains(&F))
        if (auto Found = Used.find(&F); Found != Used.end())
          All.insert(Found->second.begin(), Found->second.end());
    OfKernel.push_back(All);
  }

  Layout Result;
  place(L, OfKernel, Result);
  size(L, OfKernel, Result);
  agreeOnDynamic(L, Reached, Used);
  alignDynamic(L, OfKernel);
  for (unsigned I = 0; I != L.Kernels.size(); ++I)
    for (Function *F : Reached[I])
      Result.DynamicBase[F] = alignTo(L.Kernels[I].StaticShared, 16);
  for (GlobalVariable *V : Variables) {
    replaceUses(L, *V, Result);
    V->removeDeadConstantUsers();
    if (V->use_empty())
      V->eraseFromParent();
  }
}
} // namespace gpuprof::cpu
