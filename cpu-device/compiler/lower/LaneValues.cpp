// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/LaneValues.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
using Row = LaneValues::Row;

constexpr unsigned MostDepth = 24;

Row same(int64_t Value) {
  Row R;
  R.fill(Value);
  return R;
}

template <typename F> Row eachLane(F Value) {
  Row R;
  for (unsigned Lane = 0; Lane != LaneValues::Lanes; ++Lane)
    R[Lane] = Value(Lane);
  return R;
}

int64_t lowBits(int64_t Value, unsigned Width, bool Signed) {
  const unsigned Rest = 64 - Width;
  const uint64_t High = static_cast<uint64_t>(Value) << Rest;
  return Signed ? static_cast<int64_t>(High) >> Rest : static_cast<int64_t>(High >> Rest);
}

std::optional<int64_t> apply(Instruction::BinaryOps Operation, int64_t A, int64_t B, unsigned Width) {
  const uint64_t X = A, Y = B, Bits = lowBits(A, Width, false), By = lowBits(B, Width, false);
  switch (Operation) {
  case Instruction::Add:
    return X + Y;
  case Instruction::Sub:
    return X - Y;
  case Instruction::Mul:
    return X * Y;
  case Instruction::And:
    return X & Y;
  case Instruction::Or:
    return X | Y;
  case Instruction::Xor:
    return X ^ Y;
  case Instruction::Shl:
    return By < Width ? std::optional<int64_t>(X << By) : std::nullopt;
  case Instruction::LShr:
    return By < Width ? std::optional<int64_t>(Bits >> By) : std::nullopt;
  case Instruction::AShr:
    return By < Width ? std::optional<int64_t>(A >> By) : std::nullopt;
  case Instruction::UDiv:
    return By ? std::optional<int64_t>(Bits / By) : std::nullopt;
  case Instruction::URem:
    return By ? std::optional<int64_t>(Bits % By) : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<Row> ofRegister(const IntrinsicInst &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
    return eachLane([](unsigned Lane) { return Lane; });
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return same(0);
  default:
    return std::nullopt;
  }
}

std::optional<Row> cast(const Operator &Cast, const Row &From) {
  const unsigned Of = Cast.getOperand(0)->getType()->getIntegerBitWidth(),
                 To = Cast.getType()->getIntegerBitWidth();
  const bool Signed = Cast.getOpcode() != Instruction::ZExt;
  return eachLane([&](unsigned Lane) { return lowBits(lowBits(From[Lane], Of, Signed), To, true); });
}
} // namespace

std::optional<Row> LaneValues::of(const Value *V, unsigned Depth) {
  if (auto Old = Known.find(V); Old != Known.end())
    return Old->second;
  if (Depth > MostDepth)
    return std::nullopt;
  const std::optional<Row> Result = V->getType()->isPointerTy() ? address(V, Depth) : compute(V, Depth);
  Known[V] = Result;
  return Result;
}

std::optional<Row> LaneValues::compute(const Value *V, unsigned Depth) {
  if (!V->getType()->isIntegerTy() || V->getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  if (const auto *Constant = dyn_cast<ConstantInt>(V))
    return same(Constant->getSExtValue());
  if (const auto *Call = dyn_cast<IntrinsicInst>(V))
    return ofRegister(*Call);
  const auto *Operation = dyn_cast<Operator>(V);
  if (!Operation)
    return std::nullopt;
  switch (Operation->getOpcode()) {
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
    if (const auto From = of(Operation->getOperand(0), Depth + 1))
      return cast(*Operation, *From);
    return std::nullopt;
  case Instruction::Freeze:
    return of(Operation->getOperand(0), Depth + 1);
  default:
    break;
  }
  const auto *Binary = dyn_cast<BinaryOperator>(Operation);
  if (!Binary)
    return std::nullopt;
  const auto A = of(Binary->getOperand(0), Depth + 1), B = of(Binary->getOperand(1), Depth + 1);
  const unsigned Width = V->getType()->getIntegerBitWidth();
  Row Result;
  for (unsigned Lane = 0; Lane != Lanes && A && B; ++Lane) {
    const auto Value = apply(Binary->getOpcode(), (*A)[Lane], (*B)[Lane], Width);
    if (!Value)
      return std::nullopt;
    Result[Lane] = lowBits(*Value, Width, true);
  }
  return A && B ? std::optional<Row>(Result) : std::nullopt;
}

std::optional<Row> LaneValues::address(const Value *V, unsigned Depth) {
  if (isa<GlobalVariable>(V))
    return same(0);
  const auto *Operation = dyn_cast<Operator>(V);
  if (!Operation)
    return std::nullopt;
  if (Operation->getOpcode() == Instruction::AddrSpaceCast)
    return of(Operation->getOperand(0), Depth + 1);
  const auto *Element = dyn_cast<GEPOperator>(Operation);
  auto Bytes = Element ? of(Element->getPointerOperand(), Depth + 1) : std::nullopt;
  if (!Bytes)
    return std::nullopt;
  for (auto Step = gep_type_begin(Element); Step != gep_type_end(Element); ++Step) {
    const Value *Index = Step.getOperand();
    if (StructType *Structure = Step.getStructTypeOrNull()) {
      const uint64_t Behind =
          Layout.getStructLayout(Structure)->getElementOffset(llvm::cast<ConstantInt>(Index)->getZExtValue());
      *Bytes = eachLane([&](unsigned Lane) { return (*Bytes)[Lane] + Behind; });
      continue;
    }
    const auto Turns = of(Index, Depth + 1);
    if (!Turns)
      return std::nullopt;
    const int64_t Size = Layout.getTypeAllocSize(Step.getIndexedType()).getFixedValue();
    *Bytes = eachLane([&](unsigned Lane) { return (*Bytes)[Lane] + (*Turns)[Lane] * Size; });
  }
  return Bytes;
}
} // namespace gpuprof::cpu
