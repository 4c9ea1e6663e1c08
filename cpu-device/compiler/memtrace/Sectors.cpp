// Unique bytes: marks the sectors of global memory before each access, as abi.h says at gpuprof_cpu_sectors.
#include "common/AbiLayout.h"
#include "memtrace/GlobalAccesses.h"
#include "memtrace/RowMarks.h"
#include "vectorize/Strips.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
constexpr uint64_t SectorBytes = 32;

// Of a strip of threads: as many sectors as one number can mark, and one more where it begins within one.
bool isStrip(uint64_t Bytes) {
  return Bytes > SectorBytes && Bytes <= 8 * SectorBytes && isPowerOf2_64(Bytes);
}

void callFor(Lowering &L, const GlobalAccess &A) {
  IRBuilder<> B(A.At);
  Value *Length = A.Length ? B.CreateZExtOrTrunc(A.Length, B.getInt64Ty()) : B.getInt64(A.Bytes);
  B.CreateCall(L.entry("__gpuprof_cpu_touch_slow"), {B.CreateAddrSpaceCast(A.Pointer, B.getPtrTy()), Length});
}

class Marker {
public:
  Marker(Lowering &L, Function &F) : L(L), F(F) {}
  void run(ArrayRef<GlobalAccess> Accesses);

private:
  void mark(const GlobalAccess &A);
  Value *endFor(uint64_t Bytes);
  void loadTable();

  Lowering &L;
  Function &F;
  Value *Base = nullptr, *Size = nullptr, *Sectors = nullptr;
  DenseMap<uint64_t, Value *> Ends; // where accesses of so many bytes are no longer in the table
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

Value *Marker::endFor(uint64_t Bytes) {
  if (!isStrip(Bytes))
    return Size;
  Value *&End = Ends[Bytes];
  if (!End) {
    IRBuilder<> B(cast<Instruction>(Sectors)->getNextNode());
    End = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Size, B.getInt64(Bytes));
  }
  return End;
}

void Marker::mark(const GlobalAccess &A) {
  if (!A.Bytes || (A.Bytes > SectorBytes && !isStrip(A.Bytes))) {
    callFor(L, A);
    return;
  }
  IRBuilder<> B(A.At);
  Value *Address = B.CreatePtrToInt(A.Pointer, B.getInt64Ty());
  Value *Offset = B.CreateSub(Address, Base);
  Instruction *Fast, *Other;
  SplitBlockAndInsertIfThenElse(B.CreateICmpULT(Offset, endFor(A.Bytes)), A.At, &Fast, &Other,
                                MDBuilder(F.getContext()).createBranchWeights(1u << 20, 1));
  B.SetInsertPoint(Fast);
  auto Touch = [&](Value *At, unsigned Count = 1) {
    Constant *Marks = ConstantInt::get(B.getContext(), APInt::getSplat(8 * Count, APInt(8, 1)));
    B.CreateAlignedStore(Marks, B.CreateInBoundsGEP(B.getInt8Ty(), Sectors, B.CreateLShr(At, 5)), Align(1));
  };
  Touch(Offset, std::max<uint64_t>(A.Bytes / SectorBytes, 1));
  if (A.Alignment < A.Bytes) // else the access cannot straddle two sectors
    Touch(B.CreateAdd(Offset, B.getInt64(A.Bytes - 1)));
  B.SetInsertPoint(Other);
  B.CreateCall(L.entry("__gpuprof_cpu_touch_slow"),
               {B.CreateIntToPtr(Address, B.getPtrTy()), B.getInt64(A.Bytes)});
}

void Marker::run(ArrayRef<GlobalAccess> Accesses) {
  if (Accesses.empty())
    return;
  loadTable();
  for (const GlobalAccess &A : Accesses)
    mark(A);
}
} // namespace

void markSectors(Lowering &L) {
  SmallPtrSet<const Function *, 8> Bodies;
  for (const Kernel &K : L.Kernels)
    Bodies.insert(K.Body);
  for (Function &F : L.M)
    if (!F.isDeclaration() && !Bodies.contains(&F) &&
        !F.getName().contains("__gpuprof_")) // our own memory is ours
      Marker(L, F).run(unmarked(L, F));
}

void markSectors(Lowering &L, Function &F, ArrayRef<ThreadRow> Rows,
                 const SmallPtrSetImpl<const Instruction *> &Wanted) {
  SmallVector<GlobalAccess> Left;
  std::vector<RowMarks> Marks;
  {
    const DominatorTree Before(F);
    const PostDominatorTree After(F);
    const LoopInfo Loops(Before);
    for (const ThreadRow &Row : Rows)
      Marks.emplace_back(L, Row, Before, After, Loops);
    for (const GlobalAccess &A : unmarked(L, F))
      if (Wanted.contains(A.At) && none_of(Marks, [&](RowMarks &M) { return M.take(A); }))
        Left.push_back(A);
    for (RowMarks &M : Marks)
      M.emit(Left);
  }
  Marker(L, F).run(runInStrips(L, F, Rows, markLoops(L, F, Left, Rows)));
}

void markSectorsByCalls(Lowering &L, Function &F) {
  for (const GlobalAccess &A : unmarked(L, F))
    callFor(L, A);
}
} // namespace gpuprof::cpu
