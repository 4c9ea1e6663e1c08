// Unique bytes: marks the sectors of global memory before each access, as abi.h says at gpuprof_cpu_sectors.
#include "cpu/GlobalAccesses.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
constexpr uint64_t SectorBytes = 32;

class Marker {
public:
  Marker(Lowering &L, Function &F) : L(L), F(F) {}
  void run();

private:
  void mark(const GlobalAccess &A);
  void loadTable();

  Lowering &L;
  Function &F;
  Value *Base = nullptr, *Size = nullptr, *Sectors = nullptr;
};

// Those that an earlier access of the same block has not marked already.
SmallVector<GlobalAccess> unmarked(const Lowering &L, Function &F) {
  SmallVector<GlobalAccess> Left;
  for (const GlobalAccess &A : globalAccesses(L, F))
    if (A.Length || none_of(Left, [&](const GlobalAccess &Old) {
          return Old.At->getParent() == A.At->getParent() && Old.Pointer == A.Pointer && Old.Bytes >= A.Bytes;
        }))
      Left.push_back(A);
  return Left;
}

// Read once a function: the table does not change while a kernel runs.
void Marker::loadTable() {
  LLVMContext &C = F.getContext();
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
  StructType *T = StructType::get(C, {B.getInt64Ty(), B.getInt64Ty(), PointerType::get(C, 0)});
  Constant *Table = F.getParent()->getOrInsertGlobal("__gpuprof_cpu_sectors", T);
  auto Read = [&](Type *Field, unsigned Index) {
    LoadInst *Load = B.CreateLoad(Field, B.CreateStructGEP(T, Table, Index), "sectors");
    Load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(C, {}));
    return Load;
  };
  Base = Read(B.getInt64Ty(), 0);
  Size = Read(B.getInt64Ty(), 1);
  Sectors = Read(B.getPtrTy(), 2);
}

void Marker::mark(const GlobalAccess &A) {
  IRBuilder<> B(A.At);
  Value *Address = B.CreatePtrToInt(A.Pointer, B.getInt64Ty());
  FunctionCallee Slow = L.entry("__gpuprof_cpu_touch_slow");
  if (!A.Bytes || A.Bytes > SectorBytes) {
    Value *Length = A.Length ? B.CreateZExtOrTrunc(A.Length, B.getInt64Ty()) : B.getInt64(A.Bytes);
    B.CreateCall(Slow, {B.CreateIntToPtr(Address, B.getPtrTy()), Length});
    return;
  }
  Value *Offset = B.CreateSub(Address, Base);
  Instruction *Fast, *Other;
  SplitBlockAndInsertIfThenElse(B.CreateICmpULT(Offset, Size), A.At, &Fast, &Other,
                                MDBuilder(F.getContext()).createBranchWeights(1u << 20, 1));
  B.SetInsertPoint(Fast);
  auto Touch = [&](Value *At) {
    B.CreateStore(B.getInt8(1), B.CreateInBoundsGEP(B.getInt8Ty(), Sectors, B.CreateLShr(At, 5)));
  };
  Touch(Offset);
  if (A.Alignment < A.Bytes) // else the access cannot straddle two sectors
    Touch(B.CreateAdd(Offset, B.getInt64(A.Bytes - 1)));
  B.SetInsertPoint(Other);
  B.CreateCall(Slow, {B.CreateIntToPtr(Address, B.getPtrTy()), B.getInt64(A.Bytes)});
}

void Marker::run() {
  const SmallVector<GlobalAccess> Accesses = unmarked(L, F);
  if (Accesses.empty())
    return;
  loadTable();
  for (const GlobalAccess &A : Accesses)
    mark(A);
}
} // namespace

void markSectors(Lowering &L) {
  for (Function &F : L.M)
    if (!F.isDeclaration() && !F.getName().contains("__gpuprof_")) // our own function's memory is ours
      Marker(L, F).run();
}
} // namespace gpuprof::cpu
