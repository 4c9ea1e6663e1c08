// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memtrace/SectorTrace.h"
#include "common/AbiLayout.h"
#include "module/GlobalAccesses.h"
#include "module/InnerLoop.h"
#include "module/Lowering.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
constexpr uint64_t SectorBytes = 32;

// An access by a strip of threads. One store marks its sectors, and another the last one if the access is not
// aligned.
bool isStrip(uint64_t Bytes) {
  return Bytes > SectorBytes && Bytes <= 8 * SectorBytes && isPowerOf2_64(Bytes);
}

void recordByCall(Lowering &L, const GlobalAccess &A) {
  IRBuilder<> B(A.At);
  Value *Length = A.Length ? B.CreateZExtOrTrunc(A.Length, B.getInt64Ty()) : B.getInt64(A.Bytes);
  B.CreateCall(L.entry("__gpuprof_cpu_record_access"), {B.CreateAddrSpaceCast(A.Pointer, B.getPtrTy()), Length});
}

class SectorTrace {
public:
  SectorTrace(Lowering &L, Function &F) : L(L), F(F) {}
  void record(ArrayRef<GlobalAccess> Accesses);

private:
  void record(const GlobalAccess &A);
  Value *endFor(uint64_t Bytes);
  void loadTable();

  Lowering &L;
  Function &F;
  Value *Base = nullptr, *Size = nullptr, *Sectors = nullptr;
  DenseMap<uint64_t, Value *> Ends; // end of the table for accesses of so many bytes
};

// Loaded once a function: the table does not change while a kernel runs.
void SectorTrace::loadTable() {
  LLVMContext &C = F.getContext();
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
  StructType *T = abi::typeOf<abi::cpu_sectors>(C);
  Constant *Table = F.getParent()->getOrInsertGlobal("__gpuprof_cpu_sectors", T);
  auto Read = [&](abi::cpu_sectors Name) {
    const unsigned Index = abi::indexOf(Name);
    LoadInst *Load = B.CreateLoad(T->getElementType(Index), B.CreateStructGEP(T, Table, Index), "sectors");
    Load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(C, {}));
    return Load;
  };
  Base = Read(abi::cpu_sectors::base);
  Size = Read(abi::cpu_sectors::size);
  Sectors = Read(abi::cpu_sectors::sectors);
}

Value *SectorTrace::endFor(uint64_t Bytes) {
  if (!isStrip(Bytes))
    return Size;
  Value *&End = Ends[Bytes];
  if (!End) {
    IRBuilder<> B(cast<Instruction>(Sectors)->getNextNode());
    End = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Size, B.getInt64(Bytes));
  }
  return End;
}

void SectorTrace::record(const GlobalAccess &A) {
  if (!A.Bytes || (A.Bytes > SectorBytes && !isStrip(A.Bytes))) {
    recordByCall(L, A);
    return;
  }
  IRBuilder<> B(A.At);
  Value *Address = B.CreatePtrToInt(A.Pointer, B.getInt64Ty());
  Value *Offset = B.CreateSub(Address, Base);
  Instruction *Fast, *Other;
  SplitBlockAndInsertIfThenElse(B.CreateICmpULT(Offset, endFor(A.Bytes)), A.At, &Fast, &Other,
                                MDBuilder(F.getContext()).createBranchWeights(1u << 20, 1));
  B.SetInsertPoint(Fast);
  auto Mark = [&](Value *At, unsigned Count = 1) {
    Constant *Marks = ConstantInt::get(B.getContext(), APInt::getSplat(8 * Count, APInt(8, 1)));
    B.CreateAlignedStore(Marks, B.CreateInBoundsGEP(B.getInt8Ty(), Sectors, B.CreateLShr(At, 5)), Align(1));
  };
  Mark(Offset, std::max<uint64_t>(A.Bytes / SectorBytes, 1));
  if (A.Alignment < A.Bytes) // otherwise the access cannot straddle two sectors
    Mark(B.CreateAdd(Offset, B.getInt64(A.Bytes - 1)));
  B.SetInsertPoint(Other);
  B.CreateCall(L.entry("__gpuprof_cpu_record_access"),
               {B.CreateIntToPtr(Address, B.getPtrTy()), B.getInt64(A.Bytes)});
}

void SectorTrace::record(ArrayRef<GlobalAccess> Accesses) {
  if (Accesses.empty())
    return;
  loadTable();
  for (const GlobalAccess &A : Accesses)
    record(A);
}
} // namespace

void recordFunctions(Lowering &L) {
  SmallPtrSet<const Function *, 8> Bodies;
  for (const Kernel &K : L.Kernels)
    Bodies.insert(K.Body);
  for (Function &F : L.M)
    if (!F.isDeclaration() && !Bodies.contains(&F) &&
        !F.getName().contains("__gpuprof_")) // gpuprof's own functions are not traced
      SectorTrace(L, F).record(distinctAccesses(L, F));
}

// True if few threads make the remaining accesses, once each. Calls then cost less than a look through the map behind the
// launch.
static bool isLeftToFew(const Kernel &K) {
  const DominatorTree Dominators(*K.Body);
  const LoopInfo Loops(Dominators);
  return all_of(K.Unrecorded, [&](const GlobalAccess &A) {
    const Loop *Own = Loops.getLoopFor(A.At->getParent());
    return Own && any_of(K.Loops, [&](const InnerLoop &Inner) {
             return Inner.IsOfFew && Inner.First == Own->getHeader();
           });
  });
}

void recordAccesses(Lowering &L) {
  for (Kernel &K : L.Kernels) {
    assert(all_of(K.Unrecorded, [&](const GlobalAccess &A) { return A.At->getFunction() == K.Body; }) &&
           "an access of another function");
    if (isLeftToFew(K))
      for (const GlobalAccess &A : K.Unrecorded)
        recordByCall(L, A);
    else
      SectorTrace(L, *K.Body).record(K.Unrecorded);
    if (K.Thread)
      for (const GlobalAccess &A : distinctAccesses(L, *K.Thread))
        recordByCall(L, A); // slower, but smaller code
  }
}
} // namespace gpuprof::cpu
