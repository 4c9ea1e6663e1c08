// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before Volta the lanes of a warp ran in step, and programs of that time leave out __syncwarp() where lanes
// exchange values through shared memory (the last steps of reductions and scans, transposes within a warp).
// CUDA no longer promises it; a GPU still does it mostly. Here lanes take turns: they meet wherever one may
// read what another has just stored there, or store over what another has yet to read. Of volatile memory
// that is taken for granted; of other memory the addresses must say that a lane reads what another has
// stored, which no program does that waits as CUDA demands.
#include "lower/ImplicitWarpSync.h"
#include "lower/LaneValues.h"
#include "lower/Lowering.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
bool isShared(const Value *Pointer) {
  return Pointer->getType()->getPointerAddressSpace() == AsShared ||
         getUnderlyingObject(Pointer)->getType()->getPointerAddressSpace() == AsShared;
}

bool exchanges(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isVolatile() && isShared(Load->getPointerOperand());
  const auto *Store = dyn_cast<StoreInst>(&I);
  return Store && Store->isVolatile() && isShared(Store->getPointerOperand());
}

// What lanes may have done to shared memory since they last met.
struct Since {
  bool Stored = false, Loaded = false;
  bool operator!=(const Since &Other) const { return Stored != Other.Stored || Loaded != Other.Loaded; }
};

class Steps {
public:
  explicit Steps(Function &F) {
    const ReversePostOrderTraversal<Function *> Order(&F);
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (BasicBlock *Block : Order) {
        Since S = before(*Block);
        for (Instruction &I : *Block)
          follow(I, S);
        Changed |= S != After[Block];
        After[Block] = S;
      }
    }
    for (BasicBlock *Block : Order) {
      Since S = before(*Block);
      for (Instruction &I : *Block)
        if (follow(I, S))
          Meetings.push_back(&I);
    }
  }

  SmallVector<Instruction *> Meetings; // before these

private:
  Since before(const BasicBlock &Block) const {
    Since S;
    for (const BasicBlock *Before : predecessors(&Block)) {
      const Since Of = After.lookup(Before);
      S.Stored |= Of.Stored;
      S.Loaded |= Of.Loaded;
    }
    return S;
  }

  // Must lanes meet before it?
  static bool follow(const Instruction &I, Since &S) {
    if (const auto *Call = dyn_cast<CallBase>(&I); Call && Call->isConvergent())
      S = {}; // a barrier, or a function that may have one
    if (!exchanges(I))
      return false;
    const bool Loads = isa<LoadInst>(I);
    const bool Meets = Loads ? S.Stored : S.Loaded;
    if (Meets)
      S = {};
    (Loads ? S.Loaded : S.Stored) = true;
    return Meets;
  }

  DenseMap<const BasicBlock *, Since> After;
};

// Meetings for accesses of which the addresses say that lanes of a warp touch the same bytes, within a block
// of the function, with nothing that waits between.
class Exchanges {
public:
  explicit Exchanges(Function &F) : Values(F.getParent()->getDataLayout()) {
    for (BasicBlock &Block : F) {
      SmallVector<Access, 8> Before;
      for (Instruction &I : Block)
        follow(I, Before);
    }
  }

  // None where no lane reads what another stored: threads that only store over what others have read differ
  // too often in which of them come here at all.
  SmallVector<Instruction *> meetings() const { return Reads ? Meetings : SmallVector<Instruction *>(); }

private:
  struct Access {
    const Instruction *I;
    const Value *Object;
    int64_t Bytes;
    LaneValues::Row Of;
    bool isStore() const { return isa<StoreInst>(I); }
  };
  static constexpr size_t MostBefore = 64;

  std::optional<Access> accessOf(const Instruction &I) {
    const Value *Pointer = getLoadStorePointerOperand(&I);
    if (!Pointer || !isShared(Pointer))
      return std::nullopt;
    const auto Of = Values.of(Pointer);
    if (!Of)
      return std::nullopt;
    const DataLayout &Layout = I.getModule()->getDataLayout();
    Type *T = getLoadStoreType(const_cast<Instruction *>(&I)); // before LLVM 20 it takes no other
    return Access{&I, getUnderlyingObject(Pointer),
                  static_cast<int64_t>(Layout.getTypeStoreSize(T).getFixedValue()), *Of};
  }

  // Does a lane touch by `B` what another touched by `A`?
  static bool meet(const Access &A, const Access &B) {
    if (A.Object != B.Object || !(A.isStore() || B.isStore()))
      return false;
    for (unsigned One = 0; One != LaneValues::Lanes; ++One)
      for (unsigned Other = 0; Other != LaneValues::Lanes; ++Other)
        if (One != Other && A.Of[One] < B.Of[Other] + B.Bytes && B.Of[Other] < A.Of[One] + A.Bytes &&
            !(A.Of[One] == A.Of[Other] && B.Of[One] == B.Of[Other])) // not what all lanes share
          return true;
    return false;
  }

  void follow(Instruction &I, SmallVectorImpl<Access> &Before) {
    if (const auto *Call = dyn_cast<CallBase>(&I); Call && Call->isConvergent())
      Before.clear();
    const auto Now = accessOf(I);
    if (!Now)
      return;
    bool Meets = false;
    for (const Access &Earlier : Before)
      if (meet(Earlier, *Now)) {
        Meets = true;
        Reads |= Earlier.isStore() && !Now->isStore();
      }
    if (Meets) {
      Meetings.push_back(&I);
      Before.clear();
    }
    if (Before.size() < MostBefore)
      Before.push_back(*Now);
  }

  LaneValues Values;
  SmallVector<Instruction *> Meetings;
  bool Reads = false;
};
} // namespace

void insertImplicitWarpSync(Lowering &L) {
  for (Function &F : L.M) {
    if (F.isDeclaration())
      continue;
    SmallSetVector<Instruction *, 8> Meetings;
    if (any_of(instructions(F), exchanges)) {
      const Steps OfVolatile(F);
      Meetings.insert(OfVolatile.Meetings.begin(), OfVolatile.Meetings.end());
    }
    const SmallVector<Instruction *> OfOthers = Exchanges(F).meetings();
    Meetings.insert(OfOthers.begin(), OfOthers.end());
    for (Instruction *Before : Meetings) {
      // All lanes that can get here: in step, those of the warp that do not go another way.
      Value *Thread = L.thread(F);
      IRBuilder<> B(Before);
      B.CreateCall(L.entry("__gpuprof_cpu_in_step"), {Thread});
    }
  }
}
} // namespace gpuprof::cpu
