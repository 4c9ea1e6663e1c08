// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma: matrix products of a warp group of 128 threads. The last arriving thread computes them: later waits
// have nothing to wait for.
#include "inline-ptx/AsmWarpGroups.h"
#include "gpuprof/cpu_matrix.h"
#include "module/Matrix.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
constexpr unsigned GroupThreads = 128, RowsOfGroup = 64, RegistersA = 4;

struct GroupForm {
  uint64_t Packed = 0;
  unsigned N = 0;
  const MatrixElement *D = nullptr, *A = nullptr, *B = nullptr;
  bool Sparse = false;
  unsigned sums() const { return RowsOfGroup * N / GroupThreads * D->Bits / 32; } // registers of D
};

// A row of A has 32 bytes, twice as many if sparse.
bool isKnownDepth(unsigned K, const GroupForm &F) {
  constexpr unsigned RowBits = 256;
  return K * F.A->Bits == RowBits * (F.Sparse ? 2 : 1) && F.B->Bits == F.A->Bits;
}

// wgmma.mma_async[.sp].sync.aligned.m64n128k16.f32.f16.f16: types of D, A and B.
std::optional<GroupForm> groupForm(ArrayRef<std::string> Pieces) {
  GroupForm F;
  unsigned M = 0, K = 0;
  SmallVector<const MatrixElement *> Given;
  bool Shaped = false;
  for (const std::string &Piece : Pieces) {
    F.Sparse |= Piece == "sp";
    if (const MatrixElement *T = matrixElement(Piece))
      Given.push_back(T);
    else if (!Shaped)
      Shaped = parseMatrixShape(Piece, M, F.N, K);
  }
  if (!Shaped || Given.size() != 3 || M != RowsOfGroup || F.N % 8 || !F.N || F.N > 256)
    return std::nullopt;
  F.D = Given[0], F.A = Given[1], F.B = Given[2];
  if (!isKnownDepth(K, F))
    return std::nullopt;
  F.Packed = uint64_t(F.N / 8) << GPUPROF_MATRIX_N_SHIFT | uint64_t(K) << GPUPROF_MATRIX_K_SHIFT |
             uint64_t(F.A->Number) << GPUPROF_MATRIX_A_SHIFT |
             uint64_t(F.B->Number) << GPUPROF_MATRIX_B_SHIFT |
             uint64_t(F.D->Number) << GPUPROF_MATRIX_D_SHIFT;
  return F;
}

// Memory of the thread, shared by all products of a function with this number of registers.
AllocaInst *registerMemory(Function &F, unsigned Registers, StringRef Name) {
  auto *Whole = ArrayType::get(Type::getInt32Ty(F.getContext()), Registers);
  BasicBlock &Entry = F.getEntryBlock();
  for (Instruction &I : Entry)
    if (auto *Known = dyn_cast<AllocaInst>(&I);
        Known && Known->getAllocatedType() == Whole && Known->getName().starts_with(Name))
      return Known;
  return IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(Whole, nullptr, Name);
}

void storeAll(IRBuilder<> &B, AllocaInst *To, ArrayRef<Value *> Values) {
  for (auto [Index, V] : enumerate(Values))
    B.CreateStore(V,
                  B.CreateConstInBoundsGEP2_32(To->getAllocatedType(), To, 0, static_cast<unsigned>(Index)));
}

SmallVector<Value *> loadAll(IRBuilder<> &B, AllocaInst *From) {
  SmallVector<Value *> Values;
  auto *Whole = cast<ArrayType>(From->getAllocatedType());
  for (unsigned N = 0; N != Whole->getNumElements(); ++N)
    Values.push_back(B.CreateLoad(Whole->getElementType(), B.CreateConstInBoundsGEP2_32(Whole, From, 0, N)));
  return Values;
}
} // namespace

// The last operands: [imm-scale-a, imm-scale-b[, [imm-trans-a,] imm-trans-b]]. Matrices in registers have a
// fixed layout.
bool AsmWarpGroups::groupScales(Op O, size_t Next, bool InRegisters, uint64_t &Flags) {
  int64_t Given = 0, Sign = 1;
  for (unsigned N = 0; N != 2 && Next < O.Operands.size(); ++N, Sign *= Given)
    if (!Context.constant(O, Next++, Given) || (Given != 1 && Given != -1))
      return false;
  if (Sign < 0)
    Flags |= GPUPROF_MATRIX_NEGATE;
  for (unsigned Which = InRegisters ? 1 : 0; Which != 2 && Next < O.Operands.size(); ++Which) {
    if (!Context.constant(O, Next++, Given))
      return false;
    if (Given)
      Flags |= Which == 0 ? GPUPROF_MATRIX_A_COLUMN : GPUPROF_MATRIX_B_ROW;
  }
  return true;
}

// wgmma.mma_async… {d}, a, b, [metadata, selector,] scale-d, …: a is a list of registers or a descriptor.
bool AsmWarpGroups::warpGroup(Op O) {
  if (O.Opcode[0] != "wgmma" || O.Opcode.size() < 2)
    return false;
  if (O.Opcode[1] != "mma_async") // fence, commit_group, wait_group
    return true;
  std::optional<GroupForm> F = groupForm(O.Opcode);
  if (!F || O.Operands.size() < 4)
    return false;
  Type *Word = B.getInt32Ty(), *Long = B.getInt64Ty();
  const bool InRegisters = StringRef(O.Operands[1]).trim().starts_with("{");
  size_t Next = 3;
  uint64_t Flags = O.has("satfinite") && F->D->Number == GPUPROF_MATRIX_s32 ? GPUPROF_MATRIX_SATURATE : 0;
  SmallVector<Value *> Sums, Left;
  Value *DescriptorA = InRegisters ? B.getInt64(0) : read(O.Operands[1], Long);
  Value *DescriptorB = read(O.Operands[2], Long), *Metadata = B.getInt32(0);
  if (F->Sparse) {
    int64_t Selector = 0;
    Metadata = read(O.Operands[Next++], Word);
    if (!Metadata || !Context.constant(O, Next++, Selector))
      return false;
    Flags |= GPUPROF_MATRIX_SPARSE | uint64_t(Selector & 3) << GPUPROF_MATRIX_SELECTOR_SHIFT;
  }
  for (unsigned N = 0; N != Context.Outputs.size(); ++N) // with a scale of 0, unset sums are not read
    if (Value *&Register = Context.Registers["$" + std::to_string(N)]; !Register)
      Register = Constant::getNullValue(Context.Outputs[N]);
  Value *Scale = Next < O.Operands.size() ? read(O.Operands[Next++], B.getInt1Ty()) : nullptr;
  if (!DescriptorA || !DescriptorB || !Scale || !groupScales(O, Next, InRegisters, Flags) ||
      !readList(O.Operands[0], Word, Sums) || Sums.size() != F->sums() ||
      (InRegisters && (!readList(O.Operands[1], Word, Left) || Left.size() != RegistersA)))
    return false;

  Function &Own = *I.getFunction();
  AllocaInst *Memory = registerMemory(Own, F->sums(), "wgmma.sums");
  storeAll(B, Memory, Sums);
  Value *MemoryA = ConstantPointerNull::get(B.getPtrTy());
  if (InRegisters) {
    AllocaInst *Registers = registerMemory(Own, RegistersA, "wgmma.left");
    storeAll(B, Registers, Left);
    MemoryA = Registers;
  }
  B.CreateCall(L.entry("__gpuprof_cpu_group_product"),
               {L.thread(Own), B.getInt64(F->Packed | Flags << GPUPROF_MATRIX_FLAG_SHIFT), Memory, MemoryA,
                DescriptorA, DescriptorB, B.CreateZExt(Scale, Word), Metadata});
  writeList(O.Operands[0], loadAll(B, Memory));
  return true;
}
} // namespace gpuprof::cpu
