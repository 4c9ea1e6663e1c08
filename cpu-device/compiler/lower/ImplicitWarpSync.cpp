// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before Volta the lanes of a warp ran in lockstep. Programs of that time omit __syncwarp() when lanes
// exchange values through shared memory (the last steps of reductions and scans, transposes within a warp).
// CUDA no longer promises lockstep, but a GPU still mostly has it. Lanes take turns here. They are
// synchronised wherever one may read another's recent store, or overwrite a value not yet read by another.
// For volatile memory this is assumed. For other memory the addresses must prove that a lane reads another's
// store. Programs waiting as CUDA demands never do so.
#include "lower/ImplicitWarpSync.h"
#include "lower/LaneValues.h"
#include "module/Lowering.h"
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

// Possible accesses of lanes to shared memory since their last synchronisation.
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

  SmallVector<Instruction *> Meetings; // synchronised before these instructions

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

  // True if lanes must be synchronised before the instruction.
  static bool follow(const Instruction &I, Since &S) {
    if (const auto *Call = dyn_cast<CallBase>(&I); Call && Call->isConvergent())
      S = {}; // a barrier, or a function possibly containing one
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

// Synchronises accesses of one basic block if lanes of a warp provably touch the same bytes without a wait
// between.
class Exchanges {
public:
  explicit Exchanges(Function &F) : Values(F.getParent()->getDataLayout()) {
    for (BasicBlock &Block : F) {
      SmallVector<Access, 8> Before;
      for (Instruction &I : Block)
        follow(I, Before);
    }
  }

  // Empty unless a lane reads another's store. Threads only overwriting values read by others too often
  // differ in reaching this block at all.
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
    Type *T = getLoadStoreType(const_cast<Instruction *>(&I)); // LLVM before 20 takes only this type
    return Access{&I, getUnderlyingObject(Pointer),
                  static_cast<int64_t>(Layout.getTypeStoreSize(T).getFixedValue()), *Of};
  }

  // True if a lane touches by `B` the bytes touched by another lane by `A`.
  static bool meet(const Access &A, const Access &B) {
    if (A.Object != B.Object || !(A.isStore() || B.isStore()))
      return false;
    for (unsigned One = 0; One != LaneValues::Lanes; ++One)
      for (unsigned Other = 0; Other != LaneValues::Lanes; ++Other)
        if (One != Other && A.Of[One] < B.Of[Other] + B.Bytes && B.Of[Other] < A.Of[One] + A.Bytes &&
            !(A.Of[One] == A.Of[Other] && B.Of[One] == B.Of[Other])) // not an element shared by all lanes
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
      // Synchronises the lanes able to arrive here: those of the warp on the same path.
      Value *Thread = L.thread(F);
      IRBuilder<> B(Before);
      B.CreateCall(L.entry("__gpuprof_cpu_in_step"), {Thread});
    }
  }
}
} // namespace gpuprof::cpu
