// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX for conversions of numbers: cvt in all its forms.
#include "inline-ptx/AsmConversions.h"
#include "module/NumericHelpers.h"
#include "module/Rounding.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

#include <algorithm>

using namespace llvm;

namespace gpuprof::cpu {
// cvt.rn.satfinite.e4m3x2.f32 d, high, low; cvt.….e4m3x2.f16x2 d, pair; cvt.rn.f16x2.e4m3x2 d, bytes; e5m2x2
// alike.
Value *AsmConversions::convertFloat8(Op O) {
  if (O.Opcode.size() < 3)
    return nullptr;
  const StringRef To = O.Opcode[O.Opcode.size() - 2], From = O.Opcode.back();
  Type *Word = B.getInt32Ty(), *Single = B.getFloatTy(), *Pair = FixedVectorType::get(B.getHalfTy(), 2);
  auto Kind = [&](StringRef Name) { return B.getInt32(Name == "e5m2x2"); };
  if (To == "f16x2") {
    Value *Bytes = read(O.Operands[1], B.getInt16Ty()), *Result = PoisonValue::get(Pair);
    for (uint64_t N = 0; Bytes && N != 2; ++N) {
      Value *Byte = B.CreateZExt(B.CreateTrunc(B.CreateLShr(Bytes, 8 * N), B.getInt8Ty()), Word);
      Value *Bits = B.CreateCall(L.entry("__gpuprof_cpu_from_float8"), {Kind(From), Byte});
      Result =
          B.CreateInsertElement(Result, B.CreateFPTrunc(B.CreateBitCast(Bits, Single), B.getHalfTy()), N);
    }
    return Bytes ? Result : nullptr;
  }
  Value *Low = nullptr, *High = nullptr;
  if (From == "f32" && O.Operands.size() == 3) {
    High = read(O.Operands[1], Single);
    Low = read(O.Operands[2], Single);
  } else if (Value *Both = From == "f16x2" && O.Operands.size() == 2 ? read(O.Operands[1], Pair) : nullptr) {
    Low = B.CreateFPExt(B.CreateExtractElement(Both, uint64_t{0}), Single);
    High = B.CreateFPExt(B.CreateExtractElement(Both, uint64_t{1}), Single);
  }
  if (!Low || !High || !O.has("satfinite"))
    return nullptr;
  auto Byte = [&](Value *V) {
    if (O.has("relu"))
      V = narrowFloat(B, V, Single, "", {true, false, false});
    return B.CreateCall(L.entry("__gpuprof_cpu_to_float8"), {Kind(To), B.CreateBitCast(V, Word)});
  };
  return B.CreateTrunc(B.CreateOr(Byte(Low), B.CreateShl(Byte(High), 8)), B.getInt16Ty());
}

// The nearest integer in the direction named by .rni, .rzi, .rmi or .rpi.
static Value *toWhole(IRBuilder<> &B, Value *V, StringRef Rounding) {
  const Intrinsic::ID Round = StringSwitch<Intrinsic::ID>(Rounding)
                                  .Case("rni", Intrinsic::rint)
                                  .Case("rzi", Intrinsic::trunc)
                                  .Case("rmi", Intrinsic::floor)
                                  .Case("rpi", Intrinsic::ceil)
                                  .Default(Intrinsic::not_intrinsic);
  if (Round == Intrinsic::not_intrinsic)
    return V;
  if (V->getType()->getScalarSizeInBits() == 16) // exact in fp32
    V = B.CreateFPExt(V, B.getFloatTy());
  return B.CreateUnaryIntrinsic(Round, V);
}

// cvt.rna.tf32.f32 (ties away from zero), .rn (ties to even) and .rz: a float without its lower 13 bits.
static Value *toTf32(IRBuilder<> &B, ptx::Instruction const &O, Value *V) {
  Value *Bits = B.CreateBitCast(V, B.getInt32Ty());
  Value *More = O.has("rna") ? B.getInt32(0x1000)
                : O.has("rn")
                    ? B.CreateAdd(B.getInt32(0xfff), B.CreateAnd(B.CreateLShr(Bits, 13), B.getInt32(1)))
                    : B.getInt32(0);
  if (O.has("relu"))
    Bits = B.CreateSelect(B.CreateFCmpOLE(V, ConstantFP::get(V->getType(), 0.0)), B.getInt32(0), Bits);
  Value *Rounded = B.CreateAnd(B.CreateAdd(Bits, More), B.getInt32(0xffffe000));
  Value *Size = B.CreateUnaryIntrinsic(Intrinsic::fabs, V);
  return B.CreateSelect(B.CreateFCmpOLT(Size, ConstantFP::getInfinity(V->getType())), Rounded, Bits);
}

// An integer of another width; .sat clamps it to the range of the target.
static Value *castInteger(IRBuilder<> &B, Value *V, const PtxType &From, IntegerType *To, bool ToSigned,
                          bool Saturate) {
  Value *Wide = B.CreateIntCast(V, B.getInt128Ty(), From.isSigned());
  if (Saturate) {
    const unsigned Bits = To->getBitWidth();
    const APInt Least = ToSigned ? APInt::getSignedMinValue(Bits).sext(128) : APInt(128, 0);
    const APInt Most =
        ToSigned ? APInt::getSignedMaxValue(Bits).sext(128) : APInt::getMaxValue(Bits).zext(128);
    Wide = B.CreateBinaryIntrinsic(Intrinsic::smax, Wide, B.getInt(Least));
    Wide = B.CreateBinaryIntrinsic(Intrinsic::smin, Wide, B.getInt(Most));
  }
  return B.CreateTrunc(Wide, To);
}

// cvt.pack.sat.to.from[.b32] d, a, b[, c]: a and b become the low parts of d; c fills the part above.
Value *AsmConversions::pack(Op O) {
  PtxType To, From;
  if (O.Opcode.size() < 5 || O.Operands.size() < 3 || !parsePtxType(O.Opcode[3], To) || To.isFloat() ||
      !parsePtxType(O.Opcode[4], From) || From.isFloat())
    return nullptr;
  Type *Word = B.getInt32Ty();
  auto Piece = [&](StringRef Name) {
    Value *V = read(Name, irType(From));
    auto *Narrow = cast<IntegerType>(irType(To));
    return V ? B.CreateZExt(castInteger(B, V, From, Narrow, To.isSigned(), true), Word) : nullptr;
  };
  Value *High = Piece(O.Operands[1]), *Low = Piece(O.Operands[2]);
  Value *Above = O.Operands.size() > 3 ? read(O.Operands[3], Word) : B.getInt32(0);
  if (!High || !Low || !Above)
    return nullptr;
  Value *Both = B.CreateOr(B.CreateShl(High, To.Bits), Low);
  return To.Bits < 16 ? B.CreateOr(B.CreateShl(Above, 2 * To.Bits), Both) : Both;
}

// cvt[.rounding][.ftz][.relu][.sat|.satfinite].to.from; ptxas also takes .satfinite behind the types.
Value *AsmConversions::convert(Op O) {
  const size_t Size = O.Opcode.size();
  if (Size > 2 && O.Opcode[Size - 1] == "satfinite" && O.Opcode[Size - 2] != "satfinite") {
    ptx::Instruction Usual = O;
    std::rotate(Usual.Opcode.begin() + 1, Usual.Opcode.end() - 1, Usual.Opcode.end());
    return convert(Usual);
  }
  if (O.has("e4m3x2") || O.has("e5m2x2"))
    return convertFloat8(O);
  if (O.has("pack"))
    return pack(O);
  PtxType To, From;
  if (O.Opcode.size() < 3 || !parsePtxType(O.Opcode.back(), From))
    return nullptr;
  Value *V = read(O.Operands[1], irType(From));
  if (!V)
    return nullptr;
  if (O.has("tf32"))
    return From.isFloat() && From.Bits == 32 ? toTf32(B, O, V) : nullptr;
  if (!parsePtxType(O.Opcode[O.Opcode.size() - 2], To) || O.has("rs"))
    return nullptr;
  Type *As = irType(To);
  const Clamping How = {O.has("relu"), O.has("sat"), O.has("satfinite")};
  const StringRef Mode = roundingOf(O.Opcode);
  if (To.Lanes == 2) { // cvt.rn.f16x2.f32 d, high, low
    Value *Low = O.Operands.size() == 3 ? read(O.Operands[2], irType(From)) : nullptr;
    Type *Element = As->getScalarType();
    if (!Low || From.Lanes != 1 || !From.isFloat() || !(Element->isHalfTy() || Element->isBFloatTy()))
      return nullptr;
    Value *Pair =
        B.CreateInsertElement(PoisonValue::get(As), narrowFloat(B, Low, Element, Mode, How), uint64_t{0});
    return B.CreateInsertElement(Pair, narrowFloat(B, V, Element, Mode, How), uint64_t{1});
  }
  StringRef Rounding = "rn";
  for (StringRef Piece : {"rni", "rzi", "rmi", "rpi", "rz", "rm", "rp"})
    if (O.has({Piece.data(), Piece.size()})) {
      Rounding = Piece;
      break;
    }
  if (From.isFloat() && !To.isFloat())
    return toInteger(B, V, As, To.isSigned(), Rounding);
  if (!From.isFloat() && To.isFloat() && To.Bits >= 32)
    return roundedFromInteger(B, V, As, From.isSigned(), Mode);
  if (!From.isFloat() && To.isFloat())
    return castFloat(
        B, From.isSigned() ? B.CreateSIToFP(V, B.getDoubleTy()) : B.CreateUIToFP(V, B.getDoubleTy()), As);
  if (!From.isFloat())
    return castInteger(B, V, From, cast<IntegerType>(As), To.isSigned(), O.has("sat"));
  if (How.Relu || How.Saturate || How.SaturateFinite || !Mode.empty())
    return narrowFloat(B, toWhole(B, V, Rounding), As, Mode, How);
  return castFloat(B, toWhole(B, V, Rounding), As);
}
} // namespace gpuprof::cpu
