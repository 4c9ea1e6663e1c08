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

  // The key of an instruction's place and of the iterations around it.
  Value *keyAt(Instruction &I) {
    Value *Key = loopKey(Loops.getLoopFor(I.getParent()));
    IRBuilder<> B(&I);
    return B.CreateXor(Key, B.getInt64(++Places * Odd * Odd));
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
};

} // namespace

void recordCoalescing(Lowering &L) {
  uint64_t Places = xxHash64(L.M.getModuleIdentifier()); // functions of several units meet in one kernel
  for (Function &F : L.M)
    if (!F.isDeclaration())
      CoalescingTrace(L, F, Places).run();
}

} // namespace gpuprof::cpu
