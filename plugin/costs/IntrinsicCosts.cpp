// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "costs/IntrinsicCosts.h"
#include "costs/MatrixCosts.h"
#include "costs/PtxCosts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprof {
namespace {

constexpr const char *OneSpecialFunction = "counted as one special function; a CUDA toolkit's library computes it by FLOPs";
constexpr const char *UnknownLength = "its length is not known at compile time";

class IntrinsicCounter {
public:
  IntrinsicCounter(InstructionCost &Cost, const CallBase &Call, const WarpUniformity *U)
      : Cost(Cost), Call(Call), U(U), Name(Call.getCalledFunction()->getName()) {
    Name.split(Pieces, '.');
  }

  void run() {
    const CostRow *Row = findIntrinsicCost(Name);
    if (!Row)
      return uncounted("not in the table of intrinsics");
    switch (Row->Kind) {
    case CostKind::Free:
      return;
    case CostKind::Uncounted:
      return uncounted(Row->Why);
    case CostKind::Copy:
    case CostKind::Fill:
      return copy();
    case CostKind::Load:
    case CostKind::Store:
      return access(Row->Kind == CostKind::Load);
    case CostKind::Atomic:
      return atomic();
    case CostKind::AsyncCopy:
      return asyncCopy();
    case CostKind::BulkCopy:
      return bulkCopy();
    case CostKind::Matrix:
      return matrix();
    case CostKind::MatrixRows:
      return moveByWarp(Pieces[2] == "ldmatrix", matrixRowBytes(Pieces));
    default:
      return arithmetic(Row->Kind);
    }
  }

private:
  void uncounted(StringRef Why) { Cost.uncounted(("call of " + Name).str(), Why.str()); }

  uint64_t bytesOf(Type *T) const { return Call.getModule()->getDataLayout().getTypeStoreSize(T); }

  bool has(StringRef Piece) const { return is_contained(Pieces, Piece); }

  // A constant argument.
  bool constantArgument(unsigned Index, uint64_t &Value) const {
    const auto *Known = Index < Call.arg_size() ? dyn_cast<ConstantInt>(Call.getArgOperand(Index)) : nullptr;
    if (Known)
      Value = Known->getZExtValue();
    return Known;
  }

  /* ---- Arithmetic ---- */

  void arithmetic(CostKind Kind) {
    if (Name.starts_with("llvm.vector.reduce."))
      return reduction(Kind);
    const Type *T = Call.getType();
    if (const auto *Pair = dyn_cast<StructType>(T)) // value and overflow
      T = Pair->getElementType(0);
    Precision P = precisionOf(*T);
    unsigned Elements = elementsOf(*T);
    // Types missing in IR travel as integers; the intrinsic's name has the type.
    if (P == Precision::Integer && Name.starts_with("llvm.nvvm."))
      for (StringRef Piece : drop_begin(Pieces, 2))
        if (const TypeName *Found = findTypeName(Piece)) {
          P = Found->P;
          Elements = std::max(Elements, Found->Elements);
          if (Kind != CostKind::Convert) // the wider end counts
            break;
        }
    // ff2f16x2 and ff2bf16x2 name both ends in one piece.
    if (Kind == CostKind::Convert && Pieces[2].starts_with("ff2"))
      Elements = 2;
    addOperation(Cost, Kind, P, Elements, has("approx"));
    if (Kind == CostKind::Special && Pieces[1] != "nvvm" && !isMachineInstruction())
      uncounted(OneSpecialFunction);
  }

  // Functions of LLVM that NVPTX selects as one instruction; the others are calls of a library.
  bool isMachineInstruction() const {
    if (precisionOf(*Call.getType()) == Precision::Fp64)
      return false;
    static constexpr StringRef Approximations[] = {"sin", "cos", "log2", "tanh"};
    const bool Approximate = isa<FPMathOperator>(Call) && Call.hasApproxFunc();
    return Pieces[1] == "exp2" || (Approximate && is_contained(Approximations, Pieces[1])) ||
           (Pieces[1] == "tanh" && precisionOf(*Call.getType()) != Precision::Fp32);
  }

  // All elements of a vector to one. Sums and products of floats begin with a first operand, possibly
  // neutral.
  void reduction(CostKind Kind) {
    const Value *Vector = Call.getArgOperand(Call.arg_size() - 1);
    uint64_t Steps = elementsOf(*Vector->getType()) - 1;
    if (Call.arg_size() == 2) {
      const auto *Start = dyn_cast<ConstantFP>(Call.getArgOperand(0));
      const bool Neutral = Start && (Kind == CostKind::Add ? Start->isZero() : Start->isExactlyValue(1.0));
      Steps += Neutral ? 0 : 1;
    }
    addOperation(Cost, Kind, precisionOf(*Call.getType()), Steps, false);
  }

  /* ---- Memory ---- */

  // Copies of known length; LLVM turns small ones into loads and stores later, with the same bytes.
  void copy() {
    const auto *Copy = dyn_cast<AnyMemIntrinsic>(&Call);
    uint64_t Bytes = 0;
    if (Name.starts_with("llvm.nvvm.")) { // st.bulk
      if (!constantArgument(1, Bytes))
        return uncounted(UnknownLength);
      return addAccess(Cost, spaceOf(*Call.getArgOperand(0)), Access::Store, Bytes);
    }
    if (!Copy || !constantArgument(2, Bytes))
      return uncounted(UnknownLength);
    if (const auto *Transfer = dyn_cast<AnyMemTransferInst>(Copy))
      addLaneAccess(Cost, Transfer->getRawSourceUse(), Access::Load, Bytes, U);
    addLaneAccess(Cost, Copy->getRawDestUse(), Access::Store, Bytes, U);
  }

  void access(bool Load) {
    if (has("masked"))
      return maskedAccess(Load);
    addLaneAccess(Cost, Call.getArgOperandUse(0), Access::Load, bytesOf(Call.getType()), U);
  }

  void atomic() {
    const Type &T = *Call.getType();
    addAccess(Cost, spaceOf(*Call.getArgOperand(0)), Access::Atomic, bytesOf(Call.getType()));
    addAtomicOperation(Cost, has("add"), precisionOf(T), elementsOf(T));
  }

  void maskedAccess(bool Load) {
    const Use &Pointer = Call.getArgOperandUse(Load ? 0 : 1);
    const auto *Vector = dyn_cast<FixedVectorType>(Load ? Call.getType() : Call.getArgOperand(0)->getType());
    if (!Vector)
      return uncounted("the length of its vector is not known at compile time");
    const Value *Mask = nullptr;
    for (const Use &Argument : Call.args())
      if (Argument->getType()->getScalarType()->isIntegerTy(1))
        Mask = Argument;
    uint64_t Lanes = 0;
    const auto *Known = dyn_cast_or_null<Constant>(Mask);
    for (unsigned N = 0; N < Vector->getNumElements(); ++N) {
      const auto *Lane = Known ? dyn_cast_or_null<ConstantInt>(Known->getAggregateElement(N)) : nullptr;
      Lanes += !Lane || Lane->isOne();
    }
    addLaneAccess(Cost, Pointer, Load ? Access::Load : Access::Store,
                  Lanes * bytesOf(Vector->getElementType()), U);
    if (!Known)
      uncounted("counted as if all lanes of its mask were on");
  }

  // cp.async.ca.shared.global.16(to, from) or ….16.s(to, from, bytes to read): the rest is filled with zeros.
  void asyncCopy() {
    uint64_t Bytes = 0, Read;
    if (Pieces.size() < 8 || Pieces[7].getAsInteger(10, Bytes))
      return uncounted("its form is not in the table of intrinsics");
    Read = Bytes;
    if (flowOfPtx(Call)) // a conditional cost has its reads
      Read = 0;
    else if (has("s") && !constantArgument(2, Read))
      uncounted("counted as if all bytes were read, since its source size is not known at compile time");
    Cost.add(CostClass::global_load, std::min(Read, Bytes));
    Cost.add(CostClass::shared_store, Bytes);
  }

  // The number of bytes follows the source; a barrier may precede the source.
  void bulkCopy() {
    struct Form {
      const char *Name;
      unsigned Size;
      CostClass From, To;
    };
    static const Form Forms[] = {
        {"global.to.shared", 3, CostClass::global_load, CostClass::shared_store},
        {"shared.cta.to.cluster", 3, CostClass::shared_load, CostClass::shared_store},
        {"shared.cta.to.global", 2, CostClass::shared_load, CostClass::global_store},
    };
    const auto *Found = find_if(Forms, [&](const Form &F) { return Name.contains(F.Name); });
    uint64_t Bytes = 0;
    if (Found == std::end(Forms))
      return uncounted("its form is not in the table of intrinsics");
    if (!constantArgument(Found->Size, Bytes))
      return uncounted(UnknownLength);
    Cost.add(Found->From, Bytes);
    Cost.add(Found->To, Bytes);
  }

  /* ---- Matrices ---- */

  void matrix() {
    if (const uint64_t Bytes = matrixFragmentBytes(Pieces))
      return moveByWarp(has("load"), Bytes);
    if (!addMatrixProduct(Cost, Pieces, 32))
      uncounted("its shape or type is not in the table of matrix instructions");
  }

  void moveByWarp(bool Load, uint64_t Bytes) {
    if (Bytes == 0)
      return uncounted("its shape or type is not in the table of matrix instructions");
    addAccess(Cost, spaceOf(*Call.getArgOperand(0)), Load ? Access::Load : Access::Store, Bytes);
  }

  InstructionCost &Cost;
  const CallBase &Call;
  const WarpUniformity *U;
  StringRef Name;
  SmallVector<StringRef, 16> Pieces; // llvm, nvvm, cp, async, …
};

} // namespace

void addIntrinsic(InstructionCost &Cost, const CallBase &Call, const WarpUniformity *U) {
  IntrinsicCounter(Cost, Call, U).run();
}

} // namespace gpuprof
