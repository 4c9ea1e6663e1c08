// Before Volta the lanes of a warp ran in step, and programs of that time leave out __syncwarp() where lanes
// exchange values through volatile shared memory (the last steps of reductions and scans). CUDA no longer
// promises it; a GPU still does it mostly. Here lanes take turns: they meet wherever one may read what
// another has just stored there, or store over what another has yet to read.
#include "cpu/Lowering.h"
#include "llvm/ADT/PostOrderIterator.h"
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
} // namespace

void keepLanesInStep(Lowering &L) {
  for (Function &F : L.M) {
    if (F.isDeclaration() || none_of(instructions(F), exchanges))
      continue;
    for (Instruction *Before : Steps(F).Meetings) {
      // All lanes that can get here: in step, those of the warp that do not go another way.
      Value *Thread = L.thread(F);
      IRBuilder<> B(Before);
      B.CreateCall(L.entry("__gpuprof_cpu_activemask"), {Thread});
    }
  }
}
} // namespace gpuprof::cpu
