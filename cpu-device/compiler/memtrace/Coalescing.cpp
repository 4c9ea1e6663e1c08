// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sectors per request: the sectors touched by the lanes of a warp in one execution of an instruction. The
// lanes run one after the other here; each access names its execution. The name combines the access's place,
// the iteration of each enclosing loop and the calls leading there. Lanes in the same iterations run together
// on a GPU.
#include "memtrace/Coalescing.h"
#include "module/Lowering.h"
#include "module/GlobalAccesses.h"

#include "common/Compat.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {

constexpr uint64_t WidestCopy = 8;            // copies and fills are written out as integers
constexpr uint64_t WidestAccess = 16;         // of one instruction of the GPU
constexpr uint64_t LongestCopy = 128;         // written out by code generation; a longer one is a loop
constexpr uint64_t Odd = 0x9E3779B97F4A7C15u; // spreads keys over all bits

class CoalescingTrace {
public:
  CoalescingTrace(Lowering &L, Function &F, uint64_t &Places) : L(L), F(F), Places(Places), Tree(F), Loops(Tree) {}

  void run() {
    const SmallVector<GlobalAccess> Accesses = globalAccesses(L, F);
    const SmallVector<CallInst *> Calls = calls();
    if (Accesses.empty() && Calls.empty())
      return;
    Thread = L.thread(F);
    join(Accesses);
    for (const GlobalAccess &A : Accesses)
      tell(A);
    for (CallInst *Call : Calls) {
      IRBuilder<> B(Call);
      B.CreateCall(L.entry("__gpuprof_cpu_calls"), {keyAt(*Call)});
    }
  }

private:
  // Calls of functions compiled in the same way.
  SmallVector<CallInst *> calls() {
    SmallVector<CallInst *> Found;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && !Call->isInlineAsm())
        if (const Function *Callee = Call->getCalledFunction();
            !Callee || !Callee->isDeclaration() || isForOtherUnits(*Callee))
          Found.push_back(Call);
    return Found;
  }

  bool isKernel() const {
    return any_of(L.Kernels, [&](const Kernel &K) { return K.Body == &F; });
  }

  // The key of the calls leading to this function; constant for a kernel.
  Value *entryKey() {
    if (!Entry && isKernel())
      Entry = ConstantInt::get(Type::getInt64Ty(F.getContext()), 1);
    if (!Entry) {
      IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
      Entry = B.CreateCall(L.entry("__gpuprof_cpu_called"));
    }
    return Entry;
  }

  // One number for the iterations of a loop and of all enclosing ones.
  Value *loopKey(const Loop *Inner) {
    if (!Inner)
      return entryKey();
    if (Value *Known = Keys.lookup(Inner))
      return Known;
    Value *Outer = loopKey(Inner->getParentLoop());
    BasicBlock *Header = Inner->getHeader();
    IRBuilder<> B(Header, Header->begin());
    PHINode *Iteration = B.CreatePHI(B.getInt64Ty(), 2, "iteration");
    B.SetInsertPoint(Header, Header->getFirstInsertionPt());
    Value *Next = B.CreateAdd(Iteration, B.getInt64(1));
    for (BasicBlock *From : predecessors(Header))
      Iteration->addIncoming(Inner->contains(From) ? Next : static_cast<Value *>(B.getInt64(0)), From);
    return Keys[Inner] = B.CreateMul(B.CreateAdd(B.CreateMul(Outer, B.getInt64(3)), Next), B.getInt64(Odd),
                                     "iterations");
  }

  // A load or store of the thread, by the pointer that its neighbours share.
  struct Neighbour {
    const GlobalAccess *Access;
    const Value *Base;
    int64_t Offset;
  };

  // Accesses that are one instruction each, block by block.
  SmallVector<Neighbour> joinable(ArrayRef<GlobalAccess> Accesses) const {
    SmallVector<Neighbour> Found;
    for (const GlobalAccess &A : Accesses) {
      const bool IsSimple = (isa<LoadInst>(A.At) && cast<LoadInst>(A.At)->isSimple()) ||
                            (isa<StoreInst>(A.At) && cast<StoreInst>(A.At)->isSimple());
      if (!IsSimple || A.Length || A.IsCopy || A.Bytes >= WidestAccess || !isPowerOf2_64(A.Bytes) || A.Alignment < A.Bytes)
        continue;
      int64_t Offset = 0;
      const Value *Base = GetPointerBaseWithConstantOffset(A.Pointer, Offset, F.getParent()->getDataLayout());
      Found.push_back({&A, Base, Offset});
    }
    return Found;
  }

  // Whether what lies between two accesses of a block keeps code generation from joining them.
  static bool isApart(const Neighbour &A, const Neighbour &B) {
    if (A.Access->At->getParent() != B.Access->At->getParent())
      return true;
    const bool AIsFirst = A.Access->At->comesBefore(B.Access->At);
    const Instruction *From = AIsFirst ? A.Access->At : B.Access->At, *To = AIsFirst ? B.Access->At : A.Access->At;
    const bool AreStores = isa<StoreInst>(From);
    for (const Instruction *I = From->getNextNode(); I != To; I = I->getNextNode()) {
      if (isa<StoreInst>(I) && !AreStores && getUnderlyingObject(cast<StoreInst>(I)->getPointerOperand()) == getUnderlyingObject(A.Base))
        return true;
      if (isa<LoadInst>(I) && AreStores && getUnderlyingObject(cast<LoadInst>(I)->getPointerOperand()) == getUnderlyingObject(A.Base))
        return true;
      if (!isa<StoreInst>(I) && I->mayWriteToMemory())
        return true;
    }
    return false;
  }

  static bool isBeside(const Neighbour &A, const Neighbour &B) {
    return A.Base == B.Base && A.Access->Bytes == B.Access->Bytes &&
           A.Access->At->getOpcode() == B.Access->At->getOpcode() && !isApart(A, B);
  }

  // Gives the accesses from First on one place, if Count of them fill an aligned word without a gap.
  bool joinFrom(ArrayRef<Neighbour> All, const Neighbour &First, uint64_t Count) {
    const uint64_t Bytes = First.Access->Bytes;
    SmallVector<const Neighbour *> Group{&First};
    if (First.Access->Alignment < Count * Bytes)
      return false;
    for (uint64_t I = 1; I < Count; ++I) {
      const auto *Next = find_if(All, [&](const Neighbour &N) {
        return N.Offset == First.Offset + int64_t(I * Bytes) && !Joined.count(N.Access->At) && isBeside(First, N);
      });
      if (Next == All.end())
        return false;
      Group.push_back(Next);
    }
    ++Places;
    for (const Neighbour *N : Group)
      Joined[N->Access->At] = Places;
    return true;
  }

  // Code generation joins neighbouring accesses of a thread into the widest vectors that their alignment allows.
  void join(ArrayRef<GlobalAccess> Accesses) {
    const SmallVector<Neighbour> All = joinable(Accesses);
    for (uint64_t Count : {4, 2})
      for (const Neighbour &N : All)
        if (Count * N.Access->Bytes <= WidestAccess && !Joined.count(N.Access->At))
          joinFrom(All, N, Count);
  }

  // The key of an instruction's place and of the iterations around it.
  Value *keyAt(Instruction &I) {
    Value *Key = loopKey(Loops.getLoopFor(I.getParent()));
    IRBuilder<> B(&I);
    const auto Known = Joined.find(&I);
    const uint64_t Place = Known == Joined.end() ? ++Places : Known->second;
    return B.CreateXor(Key, B.getInt64(Place * Odd * Odd));
  }

  // Code generation splits accesses too wide, or not aligned enough, for one instruction.
  void tell(const GlobalAccess &A) {
    if (A.Length || A.Bytes > LongestCopy)
      return tellPiece(A, 0, 0);
    const uint64_t Widest = std::min(A.Alignment, A.IsCopy ? WidestCopy : WidestAccess);
    uint64_t Bytes;
    for (uint64_t Offset = 0; Offset < A.Bytes; Offset += Bytes) {
      Bytes = uint64_t(1) << Log2_64(std::min(Widest, A.Bytes - Offset));
      tellPiece(A, Offset, Bytes);
    }
  }

  void tellPiece(const GlobalAccess &A, uint64_t Offset, uint64_t Bytes) {
    Value *Key = keyAt(*A.At);
    IRBuilder<> B(A.At);
    Value *Address = B.CreateAdd(B.CreatePtrToInt(A.Pointer, B.getInt64Ty()), B.getInt64(Offset));
    B.CreateCall(L.entry("__gpuprof_cpu_request"),
                 {Thread, Key, B.CreateIntToPtr(Address, B.getPtrTy()), B.getInt64(Bytes)});
  }

  Lowering &L;
  Function &F;
  uint64_t &Places;
  DominatorTree Tree;
  LoopInfo Loops;
  Value *Thread = nullptr, *Entry = nullptr;
  DenseMap<const Loop *, Value *> Keys;
  DenseMap<const Instruction *, uint64_t> Joined; // places of accesses that are one on a GPU
};

} // namespace

void recordCoalescing(Lowering &L) {
  uint64_t Places = xxHash64(L.M.getModuleIdentifier()); // functions of several units meet in one kernel
  for (Function &F : L.M)
    if (!F.isDeclaration())
      CoalescingTrace(L, F, Places).run();
}

} // namespace gpuprof::cpu
