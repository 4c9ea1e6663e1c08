// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/Rounding.h"
#include "module/Lowering.h"
#include "module/NumericHelpers.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
Value *zero(Value *Like) { return ConstantFP::get(Like->getType(), 0.0); }

Value *fusedProduct(IRBuilder<> &B, Value *X, Value *Y, Value *Z) {
  return B.CreateIntrinsic(Intrinsic::fma, {X->getType()}, {X, Y, Z});
}

Value *isNegativeBits(IRBuilder<> &B, Value *V) {
  Value *Bits = B.CreateBitCast(V, B.getIntNTy(V->getType()->getScalarSizeInBits()));
  return B.CreateICmpSLT(Bits, ConstantInt::get(Bits->getType(), 0));
}

// `Nearest`, or its neighbour. `Error` has the sign of the exact result minus `Nearest`, and is 0 (or NaN) if
// nothing needs a correction.
Value *step(IRBuilder<> &B, Value *Nearest, Value *Error, StringRef Mode) {
  Type *T = Nearest->getType();
  const unsigned Width = T->getScalarSizeInBits();
  Value *Bits = B.CreateBitCast(Nearest, B.getIntNTy(Width));
  Value *Size = Width == 16 ? B.CreateFPExt(Nearest, B.getFloatTy()) : Nearest;
  Value *Positive = B.CreateFCmpOGT(Size, zero(Size)), *Negative = B.CreateFCmpOLT(Size, zero(Size));
  Value *Below = B.CreateFCmpOLT(Error, zero(Error)), *Above = B.CreateFCmpOGT(Error, zero(Error));
  auto Number = [&](uint64_t N) { return ConstantInt::get(Bits->getType(), N); };
  Value *Smaller = B.CreateSub(Bits, Number(1)),
        *Larger = B.CreateAdd(Bits, Number(1)); // in magnitude, of either sign
  Value *Result = nullptr;
  if (Mode == "rz") {
    Value *TooLarge = B.CreateOr(B.CreateAnd(Positive, Below), B.CreateAnd(Negative, Above));
    Result = B.CreateSelect(TooLarge, Smaller, Bits);
  } else if (Mode == "rm") {
    Value *FromZero = Number((uint64_t(1) << (Width - 1)) + 1); // the negative number nearest to zero
    Value *Next = B.CreateSelect(Positive, Smaller, B.CreateSelect(Negative, Larger, FromZero));
    Result = B.CreateSelect(Below, Next, Bits);
  } else {
    Value *Next = B.CreateSelect(Positive, Larger, B.CreateSelect(Negative, Smaller, Number(1)));
    Result = B.CreateSelect(Above, Next, Bits);
  }
  return B.CreateBitCast(Result, T);
}

struct Exact {
  Value *Nearest, *Error; // their sum is exact, or Error has the sign of the exact error
};

// Knuth: the error of a sum is a number of the same type.
Exact sum(IRBuilder<> &B, Value *X, Value *Y) {
  Value *S = B.CreateFAdd(X, Y), *Part = B.CreateFSub(S, X);
  return {S, B.CreateFAdd(B.CreateFSub(X, B.CreateFSub(S, Part)), B.CreateFSub(Y, Part))};
}

Exact product(IRBuilder<> &B, Value *X, Value *Y) {
  Value *P = B.CreateFMul(X, Y);
  return {P, fusedProduct(B, X, Y, B.CreateFNeg(P))};
}

Exact quotient(IRBuilder<> &B, Value *X, Value *Y) {
  Value *Q = B.CreateFDiv(X, Y), *Rest = fusedProduct(B, B.CreateFNeg(Q), Y, X);
  return {Q, B.CreateSelect(isNegativeBits(B, Y), B.CreateFNeg(Rest), Rest)};
}

Exact root(IRBuilder<> &B, Value *X) {
  Value *R = B.CreateUnaryIntrinsic(Intrinsic::sqrt, X);
  return {R, fusedProduct(B, B.CreateFNeg(R), R, X)};
}

// Boldo and Muller: the error of a fused multiply-add takes two numbers; the sign of their sum is used.
Exact fused(IRBuilder<> &B, Value *X, Value *Y, Value *Z) {
  Value *Nearest = fusedProduct(B, X, Y, Z);
  const Exact P = product(B, X, Y), Low = sum(B, Z, P.Error), High = sum(B, P.Nearest, Low.Nearest);
  Value *Middle = B.CreateFAdd(B.CreateFSub(High.Nearest, Nearest), High.Error);
  return {Nearest, B.CreateFAdd(Middle, Low.Error)};
}

// The sum of two equal numbers of opposite signs is +0, or -0 when rounded down.
Value *signOfZero(IRBuilder<> &B, StringRef Mode, Value *Sum, Value *X, Value *Y) {
  if (Mode != "rm")
    return Sum;
  Value *Zero = B.CreateFCmpOEQ(Sum, zero(Sum));
  Value *Cancelled = B.CreateAnd(Zero, B.CreateOr(isNegativeBits(B, X), isNegativeBits(B, Y)));
  return B.CreateSelect(Cancelled, ConstantFP::get(Sum->getType(), -0.0), Sum);
}

// A finite operation with an infinite result rounds to the greatest finite number, if the direction demands
// it.
Value *errorOfOverflow(IRBuilder<> &B, const Exact &E, ArrayRef<Value *> Finite) {
  Value *Infinity = ConstantFP::getInfinity(E.Nearest->getType());
  auto Size = [&](Value *V) { return B.CreateUnaryIntrinsic(Intrinsic::fabs, V); };
  Value *Overflow = B.CreateFCmpOEQ(Size(E.Nearest), Infinity);
  for (Value *V : Finite)
    Overflow = B.CreateAnd(Overflow, B.CreateFCmpOLT(Size(V), Infinity));
  return B.CreateSelect(Overflow, B.CreateFNeg(E.Nearest), E.Error);
}

// Floats are computed in double: products are exact there, and all other results precise enough for one more
// rounding.
Value *toFloat(IRBuilder<> &B, const Exact &E, StringRef Mode) {
  Value *Nearest = B.CreateFPTrunc(E.Nearest, B.getFloatTy());
  Value *Difference = B.CreateFSub(E.Nearest, B.CreateFPExt(Nearest, B.getDoubleTy()));
  Value *Error = B.CreateSelect(B.CreateFCmpOEQ(Difference, zero(Difference)), E.Error, Difference);
  return step(B, Nearest, Error, Mode);
}
} // namespace

Value *roundedArithmetic(IRBuilder<> &B, StringRef Name, StringRef Mode, ArrayRef<Value *> Operands) {
  Type *T = Operands[0]->getType();
  if (!T->isFloatTy() && !T->isDoubleTy())
    return nullptr;
  IRBuilder<>::FastMathFlagGuard Guard(B);
  B.clearFastMathFlags(); // no step may be reordered
  const bool Single = T->isFloatTy();
  SmallVector<Value *, 3> V;
  for (Value *Operand : Operands)
    V.push_back(Single ? B.CreateFPExt(Operand, B.getDoubleTy()) : Operand);
  Exact E = {nullptr, nullptr};
  bool Infinite = false; // by a division by zero
  if ((Name == "add" || Name == "sub") && V.size() == 2) {
    if (Name == "sub")
      V[1] = B.CreateFNeg(V[1]);
    E = sum(B, V[0], V[1]);
    E.Nearest = signOfZero(B, Mode, E.Nearest, V[0], V[1]);
  } else if (Name == "mul" && V.size() == 2) {
    E = product(B, V[0], V[1]);
  } else if ((Name == "fma" || Name == "mad") && V.size() == 3) {
    Value *Product = B.CreateFMul(V[0], V[1]); // exact for floats; for doubles only its sign is used
    E = Single ? sum(B, Product, V[2]) : fused(B, V[0], V[1], V[2]);
    E.Nearest = signOfZero(B, Mode, E.Nearest, Product, V[2]);
  } else if (Name == "div" && V.size() == 2) {
    E = quotient(B, V[0], V[1]);
    Infinite = true;
  } else if (Name == "rcp" && V.size() == 1) {
    E = quotient(B, ConstantFP::get(V[0]->getType(), 1.0), V[0]);
    Infinite = true;
  } else if (Name == "sqrt" && V.size() == 1) {
    E = root(B, V[0]);
  } else {
    return nullptr;
  }
  if (Single)
    return toFloat(B, E, Mode);
  Value *Error = E.Error;
  if (Infinite) { // x / 0 is infinite in any direction
    Value *ByZero = B.CreateFCmpOEQ(V.back(), zero(V.back()));
    Error = B.CreateSelect(ByZero, zero(Error), errorOfOverflow(B, E, V));
  } else if (Name != "sqrt") {
    Error = errorOfOverflow(B, E, V);
  }
  return step(B, E.Nearest, Error, Mode);
}

Value *roundedFromInteger(IRBuilder<> &B, Value *V, Type *To, bool Signed, StringRef Mode) {
  Type *Long = B.getInt64Ty();
  Value *Wide = B.CreateIntCast(V, Long, Signed);
  Value *Nearest = Signed ? B.CreateSIToFP(Wide, To) : B.CreateUIToFP(Wide, To);
  if (To->isHalfTy() || Mode.empty())
    return Nearest;
  // Back again: 2 to the 63 (64 if unsigned) is beyond all integers.
  Value *Beyond = B.CreateFCmpOGE(Nearest, ConstantFP::get(To, Signed ? 0x1p63 : 0x1p64));
  Value *Back =
      B.CreateIntrinsic(Signed ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat, {Long, To}, {Nearest});
  Value *More = Signed ? B.CreateICmpSGT(Back, Wide) : B.CreateICmpUGT(Back, Wide);
  Value *Less = B.CreateAnd(B.CreateICmpNE(Back, Wide), B.CreateNot(More));
  auto Number = [&](double N) { return ConstantFP::get(To, N); };
  Value *Error =
      B.CreateSelect(B.CreateOr(Beyond, More), Number(-1), B.CreateSelect(Less, Number(1), Number(0)));
  return step(B, Nearest, Error, Mode);
}

Value *narrowFloat(IRBuilder<> &B, Value *V, Type *To, StringRef Mode, Clamping How) {
  IRBuilder<>::FastMathFlagGuard Guard(B);
  B.clearFastMathFlags();
  if (V->getType()->getScalarSizeInBits() == 16)
    V = B.CreateFPExt(V, B.getFloatTy());
  Type *From = V->getType();
  if (How.Relu)
    V = B.CreateSelect(B.CreateFCmpOLE(V, zero(V)), zero(V), V); // -0 becomes +0, too
  if (How.Saturate) {
    V = B.CreateBinaryIntrinsic(Intrinsic::maxnum, V, zero(V));
    V = B.CreateBinaryIntrinsic(Intrinsic::minnum, V, ConstantFP::get(From, 1.0));
  }
  if (How.SaturateFinite) {
    APFloat Greatest = APFloat::getLargest(To->getFltSemantics());
    bool Lossy = false;
    Greatest.convert(From->getFltSemantics(), APFloat::rmNearestTiesToEven, &Lossy);
    Value *Limit = ConstantFP::get(From, Greatest), *Size = B.CreateUnaryIntrinsic(Intrinsic::fabs, V);
    Value *Limited = B.CreateBinaryIntrinsic(Intrinsic::copysign, Limit, V);
    V = B.CreateSelect(B.CreateFCmpOGT(Size, Limit), Limited, V);
  }
  Value *Nearest = castFloat(B, V, To);
  if (Mode.empty() || From->getScalarSizeInBits() <= To->getScalarSizeInBits())
    return Nearest;
  return step(B, Nearest, B.CreateFSub(V, castFloat(B, Nearest, From)), Mode);
}
} // namespace gpuprof::cpu
