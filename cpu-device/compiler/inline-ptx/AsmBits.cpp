// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX on the bits of integers: fields, masks, bytes, logic of three operands; also selection and
// tests.
#include "inline-ptx/AsmBits.h"
#include "inline-ptx/AsmLogic.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuprof::cpu {
// Each nibble of the selector names one of eight bytes, or, with its top bit set, the byte's sign.
Value *permuteBytes(IRBuilder<> &B, Value *X, Value *Y, Value *Selector) {
  Type *Wide = B.getInt64Ty();
  Value *Bytes = B.CreateOr(B.CreateZExt(X, Wide), B.CreateShl(B.CreateZExt(Y, Wide), 32));
  Value *Result = B.getInt32(0);
  for (unsigned N = 0; N != 4; ++N) {
    Value *Nibble = B.CreateAnd(B.CreateLShr(Selector, 4 * N), 15);
    Value *Shift = B.CreateZExt(B.CreateShl(B.CreateAnd(Nibble, 7), 3), Wide);
    Value *Byte = B.CreateTrunc(B.CreateLShr(Bytes, Shift), B.getInt8Ty());
    Value *Chosen = B.CreateSelect(B.CreateICmpUGE(Nibble, B.getInt32(8)), B.CreateAShr(Byte, 7), Byte);
    Result = B.CreateOr(Result, B.CreateShl(B.CreateZExt(Chosen, B.getInt32Ty()), 8 * N));
  }
  return Result;
}

// prmt in one of its modes (f4e, rc16, …): the equivalent selector.
static Value *permutation(IRBuilder<> &B, StringRef Mode, Value *Selector) {
  struct Row {
    const char *Mode;
    uint32_t Selectors[4]; // by the two low bits of the operand
  };
  constexpr Row Rows[] = {
      {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
      {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
      {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}},
  };
  Value *Low = B.CreateAnd(Selector, 3), *Result = B.getInt32(0);
  for (const Row &R : Rows)
    for (uint32_t N = 0; Mode == R.Mode && N != 4; ++N)
      Result = B.CreateSelect(B.CreateICmpEQ(Low, B.getInt32(N)), B.getInt32(R.Selectors[N]), Result);
  return Result;
}

namespace {
// Shifts by amounts of 32 bits. Amounts of the value's width or more shift everything out.
Value *shiftLeft(IRBuilder<> &B, Value *V, Value *Amount) {
  const unsigned Bits = V->getType()->getIntegerBitWidth();
  Value *Small = B.CreateAnd(B.CreateZExtOrTrunc(Amount, V->getType()), Bits - 1);
  return B.CreateSelect(B.CreateICmpULT(Amount, B.getInt32(Bits)), B.CreateShl(V, Small),
                        ConstantInt::get(V->getType(), 0));
}
Value *shiftRight(IRBuilder<> &B, Value *V, Value *Amount) {
  const unsigned Bits = V->getType()->getIntegerBitWidth();
  Value *Small = B.CreateAnd(B.CreateZExtOrTrunc(Amount, V->getType()), Bits - 1);
  return B.CreateSelect(B.CreateICmpULT(Amount, B.getInt32(Bits)), B.CreateLShr(V, Small),
                        ConstantInt::get(V->getType(), 0));
}

// `Count` ones, from bit 0 on.
Value *ones(IRBuilder<> &B, Type *T, Value *Count) {
  return B.CreateNot(shiftLeft(B, Constant::getAllOnesValue(T), Count));
}

// bfe d, a, position, length. Signed: the field's top bit, or that of a, fills the rest.
Value *extractField(IRBuilder<> &B, Value *V, Value *Position, Value *Length, bool Signed) {
  Type *T = V->getType();
  const unsigned Bits = T->getIntegerBitWidth();
  if (!Signed)
    return B.CreateAnd(shiftRight(B, V, Position), ones(B, T, Length));
  Value *First = B.CreateBinaryIntrinsic(Intrinsic::umin, Position, B.getInt32(Bits - 1));
  Value *Left = B.CreateSub(B.getInt32(Bits), First);
  Value *Used = B.CreateBinaryIntrinsic(Intrinsic::umin, Length, Left);
  Value *Above = B.CreateZExtOrTrunc(B.CreateAnd(B.CreateSub(B.getInt32(Bits), Used), Bits - 1), T);
  Value *Shifted = B.CreateAShr(V, B.CreateZExtOrTrunc(First, T));
  Value *Field = B.CreateAShr(B.CreateShl(Shifted, Above), Above);
  return B.CreateSelect(B.CreateIsNull(Length), ConstantInt::get(T, 0), Field);
}

Value *testNumber(IRBuilder<> &B, const ptx::Instruction &O, Value *V) {
  Value *Size = B.CreateUnaryIntrinsic(Intrinsic::fabs, V);
  auto Number = [&](const APFloat &F) { return ConstantFP::get(V->getType(), F); };
  const fltSemantics &Format = V->getType()->getFltSemantics();
  Value *Infinity = Number(APFloat::getInf(Format)), *Least = Number(APFloat::getSmallestNormalized(Format));
  Value *Finite = B.CreateFCmpOLT(Size, Infinity);
  return O.has("finite")       ? Finite
         : O.has("infinite")   ? B.CreateFCmpOEQ(Size, Infinity)
         : O.has("number")     ? B.CreateFCmpORD(V, V)
         : O.has("notanumber") ? B.CreateFCmpUNO(V, V)
         : O.has("normal")     ? B.CreateAnd(Finite, B.CreateFCmpOGE(Size, Least))
         : O.has("subnormal")  ? B.CreateAnd(B.CreateFCmpOLT(Size, Least),
                                             B.CreateFCmpOGT(Size, ConstantFP::get(V->getType(), 0.0)))
                               : nullptr;
}
} // namespace

// lop3[.or|.and] d[|p], a, b, c, table[, q]: p is set if any bit is set, combined with q.
Value *AsmBits::logicWithFlag(Op O, Value *X, Value *Y, Value *Z) {
  auto *Table =
      O.Operands.size() > 4 ? dyn_cast_or_null<ConstantInt>(read(O.Operands[4], B.getInt32Ty())) : nullptr;
  if (!Table)
    return nullptr;
  Value *Result = logicOfThree(B, X, Y, Z, Table->getZExtValue());
  const StringRef Flag = StringRef(O.Operands[0]).split('|').second;
  if (Flag.empty())
    return Result;
  StringRef Name = O.Operands.size() == 6 ? StringRef(O.Operands[5]) : StringRef();
  const bool Negated = Name.consume_front("!");
  Value *With = Name.empty() ? nullptr : read(Name, B.getInt1Ty()), *Any = B.CreateIsNotNull(Result);
  if (!With)
    return nullptr;
  With = Negated ? B.CreateNot(With) : With;
  write(Flag, O.has("and") ? B.CreateAnd(Any, With) : B.CreateOr(Any, With));
  return Result;
}

// The lower 32 of 48 bits, or with .hi the upper 32.
static Value *productOf24Bits(IRBuilder<> &B, const ptx::Instruction &O, const PtxType &T, Value *X,
                              Value *Y) {
  auto Low = [&](Value *V) {
    V = T.isSigned() ? B.CreateAShr(B.CreateShl(V, 8), 8) : B.CreateAnd(V, 0xffffff);
    return B.CreateIntCast(V, B.getInt64Ty(), T.isSigned());
  };
  Value *Product = B.CreateMul(Low(X), Low(Y));
  return B.CreateTrunc(O.has("hi") ? B.CreateLShr(Product, 16) : Product, X->getType());
}

// slct.type.s32|f32 d, a, b, c: a unless c, of type T, is negative.
Value *AsmBits::chooseBySign(Op O, const PtxType &T) {
  PtxType Chosen = T;
  if (O.Operands.size() != 4 || !parsePtxType(O.Opcode[O.Opcode.size() - 2], Chosen))
    return nullptr;
  Value *X = read(O.Operands[1], irType(Chosen)), *Y = read(O.Operands[2], irType(Chosen));
  Value *Z = read(O.Operands[3], irType(T));
  if (!X || !Y || !Z)
    return nullptr;
  Constant *Zero = Constant::getNullValue(Z->getType());
  return B.CreateSelect(T.isFloat() ? B.CreateFCmpOGE(Z, Zero) : B.CreateICmpSGE(Z, Zero), X, Y);
}

// Null: not one of these instructions, or an unknown form of one.
Value *AsmBits::bits(Op O, const PtxType &T) {
  const StringRef Name = O.Opcode[0];
  Type *As = irType(T), *Word = B.getInt32Ty();
  auto Operand = [&](size_t N, Type *Of) {
    return N < O.Operands.size() ? read(O.Operands[N], Of) : nullptr;
  };
  auto Byte = [&](size_t N) -> Value * { // only the low byte of positions and lengths counts
    Value *V = Operand(N, Word);
    return V ? B.CreateAnd(V, 255) : nullptr;
  };
  Value *X = Operand(1, As), *Y = nullptr, *Z = nullptr;
  if (!X || T.Lanes != 1)
    return nullptr;
  if (Name == "testp" && T.isFloat())
    return testNumber(B, O, X);
  if (Name == "copysign" && T.isFloat()) // the sign of the first
    return (Y = Operand(2, As)) ? B.CreateBinaryIntrinsic(Intrinsic::copysign, Y, X) : nullptr;
  if (Name == "slct")
    return chooseBySign(O, T);
  if (T.isFloat())
    return nullptr;
  if (Name == "bfe")
    return (Y = Byte(2)) && (Z = Byte(3)) ? extractField(B, X, Y, Z, T.isSigned()) : nullptr;
  if (Name == "bfi") {
    Value *Into = Operand(2, As);
    if (!Into || !(Y = Byte(3)) || !(Z = Byte(4)))
      return nullptr;
    Value *Mask = shiftLeft(B, ones(B, As, Z), Y);
    return B.CreateOr(B.CreateAnd(Into, B.CreateNot(Mask)), B.CreateAnd(shiftLeft(B, X, Y), Mask));
  }
  if (Name == "bmsk") { // bmsk.clamp d, position, count, .wrap: modulo 32
    if (!(Y = Operand(2, As)))
      return nullptr;
    if (O.has("wrap")) {
      X = B.CreateAnd(X, 31);
      Y = B.CreateAnd(Y, 31);
    }
    return shiftLeft(B, ones(B, As, Y), X);
  }
  if (Name == "szext") { // the low bits of a, sign- or zero-extended
    if (!(Y = Operand(2, Word)))
      return nullptr;
    if (O.has("wrap"))
      Y = B.CreateAnd(Y, 31);
    return extractField(B, X, B.getInt32(0), Y, T.isSigned());
  }
  if (Name == "lop3")
    return (Y = Operand(2, As)) && (Z = Operand(3, As)) ? logicWithFlag(O, X, Y, Z) : nullptr;
  if (Name == "prmt")
    return (Y = Operand(2, As)) && (Z = Operand(3, As))
               ? permuteBytes(B, X, Y, O.Opcode.size() == 2 ? Z : permutation(B, O.Opcode.back(), Z))
               : nullptr;
  if (Name == "sad" && (Y = Operand(2, As)) && (Z = Operand(3, As))) {
    Value *More = T.isSigned() ? B.CreateICmpSGT(X, Y) : B.CreateICmpUGT(X, Y);
    return B.CreateAdd(B.CreateSelect(More, B.CreateSub(X, Y), B.CreateSub(Y, X)), Z);
  }
  if (Name == "fns" && (Y = Operand(2, Word)) && (Z = Operand(3, Word)))
    return B.CreateCall(L.entry("__gpuprof_cpu_find_set"), {X, Y, Z});
  if (Name == "mul24" && (Y = Operand(2, As)))
    return productOf24Bits(B, O, T, X, Y);
  if (Name == "mad24" && (Y = Operand(2, As)) && (Z = Operand(3, As))) {
    Value *Product = productOf24Bits(B, O, T, X, Y);
    return O.has("sat") ? B.CreateBinaryIntrinsic(Intrinsic::sadd_sat, Product, Z) : B.CreateAdd(Product, Z);
  }
  return nullptr;
}
} // namespace gpuprof::cpu
