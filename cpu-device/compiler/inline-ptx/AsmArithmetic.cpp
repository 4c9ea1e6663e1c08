// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inline-ptx/AsmArithmetic.h"
#include "inline-ptx/AsmBits.h"
#include "inline-ptx/AsmConversions.h"
#include "inline-ptx/AsmVideo.h"
#include "module/NumericHelpers.h"
#include "module/Rounding.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuprof::cpu {
// min and max of two or three. .xorsign.abs: of the magnitudes, with the product's sign.
static Value *extreme(IRBuilder<> &B, const ptx::Instruction &O, ArrayRef<Value *> V) {
  const bool Least = O.Opcode[0] == "min", KeepsNaN = O.has("NaN"), Sizes = O.has("abs");
  if (!Least && O.Opcode[0] != "max")
    return nullptr;
  const Intrinsic::ID Id = Least ? (KeepsNaN ? Intrinsic::minimum : Intrinsic::minnum)
                                 : (KeepsNaN ? Intrinsic::maximum : Intrinsic::maxnum);
  auto Given = [&](Value *X) { return Sizes ? B.CreateUnaryIntrinsic(Intrinsic::fabs, X) : X; };
  Value *Result = Given(V[0]);
  for (Value *X : V.drop_front())
    Result = B.CreateBinaryIntrinsic(Id, Result, Given(X));
  if (!O.has("xorsign"))
    return Result;
  Value *Sign = B.CreateUnaryIntrinsic(Intrinsic::fabs, Result), *Negative = B.CreateFNeg(Sign);
  Value *One = ConstantFP::get(Result->getType(), 1.0);
  auto IsNegative = [&](Value *X) {
    return B.CreateFCmpOLT(B.CreateBinaryIntrinsic(Intrinsic::copysign, One, X),
                           Constant::getNullValue(X->getType()));
  };
  return B.CreateSelect(B.CreateXor(IsNegative(V[0]), IsNegative(V[1])), Negative, Sign);
}

Value *AsmArithmetic::floating(Op O, const PtxType &T) {
  Type *As = irType(T);
  SmallVector<Value *, 4> V;
  for (size_t N = 1; N < O.Operands.size(); ++N) {
    V.push_back(read(O.Operands[N], As));
    if (!V.back())
      return nullptr;
  }
  const StringRef Name = O.Opcode[0], Mode = roundingOf(O.Opcode);
  if (!Mode.empty() && T.Lanes == 1 && T.Bits >= 32) {
    Value *Result = roundedArithmetic(B, Name, Mode, V);
    return Result && O.has("sat") ? narrowFloat(B, Result, As, "", {false, true, false}) : Result;
  }
  const bool Rounded = T.Letter == 'h'; // bfloat: in fp32, then rounded once
  Type *Wide = As;
  if (Rounded) {
    Wide = T.Lanes == 1 ? B.getFloatTy() : static_cast<Type *>(FixedVectorType::get(B.getFloatTy(), T.Lanes));
    for (Value *&Operand : V)
      Operand = B.CreateFPExt(Operand, Wide);
  }
  auto Call = [&](Intrinsic::ID Id, ArrayRef<Value *> Arguments) {
    return B.CreateIntrinsic(Id, {Wide}, Arguments);
  };
  Value *One = ConstantFP::get(Wide, 1.0), *Result = nullptr;
  if (V.size() == 1)
    Result = Name == "neg"     ? B.CreateFNeg(V[0])
             : Name == "abs"   ? Call(Intrinsic::fabs, V)
             : Name == "sqrt"  ? Call(Intrinsic::sqrt, V)
             : Name == "ex2"   ? Call(Intrinsic::exp2, V)
             : Name == "lg2"   ? Call(Intrinsic::log2, V)
             : Name == "sin"   ? Call(Intrinsic::sin, V)
             : Name == "cos"   ? Call(Intrinsic::cos, V)
             : Name == "rcp"   ? B.CreateFDiv(One, V[0])
             : Name == "rsqrt" ? B.CreateFDiv(One, Call(Intrinsic::sqrt, V))
                               : nullptr;
  else if (V.size() == 2)
    Result = Name == "add"   ? B.CreateFAdd(V[0], V[1])
             : Name == "sub" ? B.CreateFSub(V[0], V[1])
             : Name == "mul" ? B.CreateFMul(V[0], V[1])
             : Name == "div" ? B.CreateFDiv(V[0], V[1])
                             : extreme(B, O, V);
  else if (V.size() == 3)
    Result = Name == "fma" || Name == "mad" ? Call(Intrinsic::fma, V) : extreme(B, O, V);
  if (!Result)
    return nullptr;
  if (O.has("relu")) // NaN is kept
    Result = B.CreateSelect(B.CreateFCmpOLT(Result, ConstantFP::get(Wide, 0.0)), ConstantFP::get(Wide, 0.0),
                            Result);
  if (O.has("sat"))
    Result = Call(Intrinsic::maxnum, {Result, ConstantFP::get(Wide, 0.0)});
  if (O.has("sat"))
    Result = Call(Intrinsic::minnum, {Result, One});
  return Rounded ? truncateToBFloat(B, Result, As) : Result;
}

// add.cc, addc, sub.cc, subc, mad.cc, madc: the carry, or borrow, has no register.
Value *AsmArithmetic::withCarry(Op O, const PtxType &T, Value *Left, Value *Right) {
  Type *Wide = B.getIntNTy(2 * T.Bits);
  const StringRef Name = O.Opcode[0];
  const auto Operation = Name.starts_with("sub") ? Instruction::Sub : Instruction::Add;
  Value *Sum = B.CreateBinOp(Operation, B.CreateZExt(Left, Wide), B.CreateZExt(Right, Wide));
  if ((Name == "addc" || Name == "madc" || Name == "subc") && Context.Carry)
    Sum = B.CreateBinOp(Operation, Sum, B.CreateZExt(Context.Carry, Wide));
  if (O.has("cc"))
    Context.Carry = B.CreateTrunc(B.CreateLShr(Sum, T.Bits), B.getInt1Ty());
  return B.CreateTrunc(Sum, B.getIntNTy(T.Bits));
}

// mul and mad in their .lo, .hi and .wide forms.
Value *AsmArithmetic::product(Op O, const PtxType &T) {
  Type *As = irType(T), *Wide = B.getIntNTy(2 * T.Bits);
  Value *X = read(O.Operands[1], As), *Y = read(O.Operands[2], As);
  if (!X || !Y)
    return nullptr;
  Value *All = B.CreateMul(B.CreateIntCast(X, Wide, T.isSigned()), B.CreateIntCast(Y, Wide, T.isSigned()));
  Value *Result = O.has("wide") ? All
                  : O.has("hi") ? B.CreateTrunc(B.CreateLShr(All, T.Bits), As)
                                : B.CreateTrunc(All, As);
  if (O.Operands.size() == 3)
    return Result;
  Value *Addend = read(O.Operands[3], Result->getType());
  if (!Addend)
    return nullptr;
  if (O.has("sat"))
    return B.CreateBinaryIntrinsic(Intrinsic::sadd_sat, Result, Addend);
  return O.has("cc") || O.Opcode[0] == "madc" ? withCarry(O, T, Result, Addend) : B.CreateAdd(Result, Addend);
}

// Null: not an operation of one integer, or an unknown one.
static Value *integerOfOne(IRBuilder<> &B, const ptx::Instruction &O, const PtxType &T, Value *X) {
  const StringRef Name = O.Opcode[0];
  Type *As = X->getType();
  auto Count = [&](Intrinsic::ID Id, ArrayRef<Value *> More) {
    SmallVector<Value *, 2> Arguments{X};
    Arguments.append(More.begin(), More.end());
    return B.CreateZExtOrTrunc(B.CreateIntrinsic(Id, {As}, Arguments), B.getInt32Ty());
  };
  if (Name == "not")
    return B.CreateNot(X);
  if (Name == "neg")
    return B.CreateNeg(X);
  if (Name == "abs")
    return B.CreateBinaryIntrinsic(Intrinsic::abs, X, B.getFalse());
  if (Name == "cnot")
    return B.CreateZExt(B.CreateIsNull(X), As);
  if (Name == "brev")
    return B.CreateUnaryIntrinsic(Intrinsic::bitreverse, X);
  if (Name == "popc")
    return Count(Intrinsic::ctpop, {});
  if (Name == "clz")
    return Count(Intrinsic::ctlz, {B.getFalse()});
  if (Name != "bfind") // position of the top bit, or with .shiftamt the left shift to the top
    return nullptr;
  if (T.isSigned()) // of negative numbers the top zero
    X = B.CreateXor(X, B.CreateAShr(X, T.Bits - 1));
  Value *Zeros = Count(Intrinsic::ctlz, {B.getFalse()});
  Value *Found = O.has("shiftamt") ? Zeros : B.CreateSub(B.getInt32(T.Bits - 1), Zeros);
  return B.CreateSelect(B.CreateIsNull(X), B.getInt32(~0u), Found);
}

// shl and shr: amounts beyond the width shift everything out.
static Value *shift(IRBuilder<> &B, bool Left, const PtxType &T, Value *X, Value *By) {
  Type *As = X->getType();
  Value *Last = B.getInt32(T.Bits - 1);
  Value *Over = B.CreateICmpUGT(By, Last);
  Value *Amount = B.CreateZExtOrTrunc(B.CreateSelect(Over, Last, By), As);
  if (!Left && T.isSigned())
    return B.CreateAShr(X, Amount);
  Value *Shifted = Left ? B.CreateShl(X, Amount) : B.CreateLShr(X, Amount);
  return B.CreateSelect(Over, ConstantInt::get(As, 0), Shifted);
}

static Value *extremeOfIntegers(IRBuilder<> &B, const ptx::Instruction &O, const PtxType &T, Value *X,
                                Value *Y) {
  const Intrinsic::ID Id = O.Opcode[0] == "min" ? (T.isSigned() ? Intrinsic::smin : Intrinsic::umin)
                                                : (T.isSigned() ? Intrinsic::smax : Intrinsic::umax);
  Value *Result = B.CreateBinaryIntrinsic(Id, X, Y);
  return O.has("relu")
             ? B.CreateBinaryIntrinsic(Intrinsic::smax, Result, Constant::getNullValue(X->getType()))
             : Result;
}

Value *AsmArithmetic::integerOfTwo(Op O, const PtxType &T, Value *X, Value *Y) {
  const StringRef Name = O.Opcode[0];
  if (Name == "shl" || Name == "shr")
    return shift(B, Name == "shl", T, X, Y);
  if (Name == "div" || Name == "rem")
    return divide(B, Name == "rem", T.isSigned(), X, Y);
  if (Name == "min" || Name == "max")
    return extremeOfIntegers(B, O, T, X, Y);
  const bool IsSum = Name == "add" || Name == "sub";
  if (IsSum && O.has("sat"))
    return B.CreateBinaryIntrinsic(Name == "add" ? Intrinsic::sadd_sat : Intrinsic::ssub_sat, X, Y);
  if (Name == "addc" || Name == "subc" || (IsSum && O.has("cc")))
    return withCarry(O, T, X, Y);
  return Name == "add"   ? B.CreateAdd(X, Y)
         : Name == "sub" ? B.CreateSub(X, Y)
         : Name == "and" ? B.CreateAnd(X, Y)
         : Name == "or"  ? B.CreateOr(X, Y)
         : Name == "xor" ? B.CreateXor(X, Y)
                         : nullptr;
}

Value *AsmArithmetic::integer(Op O, const PtxType &T) {
  const StringRef Name = O.Opcode[0];
  if ((Name == "mul" || Name == "mad" || Name == "madc") && O.Operands.size() >= 3)
    return product(O, T);
  SmallVector<Value *, 4> V;
  for (size_t N = 1; N < O.Operands.size(); ++N) {
    const bool Amount = (Name == "shl" || Name == "shr") && N == 2;
    V.push_back(read(O.Operands[N], Amount ? B.getInt32Ty() : irType(T)));
    if (!V.back())
      return nullptr;
  }
  return V.size() == 1   ? integerOfOne(B, O, T, V[0])
         : V.size() == 2 ? integerOfTwo(O, T, V[0], V[1])
                         : nullptr;
}

// dp4a.atype.btype d, a, b, c.
static Value *dotProduct(IRBuilder<> &B, Value *X, bool XSigned, Value *Y, bool YSigned, Value *Sum) {
  auto Byte = [&](Value *V, unsigned N, bool Signed) {
    return B.CreateIntCast(B.CreateTrunc(B.CreateLShr(V, 8 * N), B.getInt8Ty()), B.getInt32Ty(), Signed);
  };
  for (unsigned N = 0; N != 4; ++N)
    Sum = B.CreateAdd(Sum, B.CreateMul(Byte(X, N, XSigned), Byte(Y, N, YSigned)));
  return Sum;
}

// dp2a.lo.atype.btype d, a, b, c: two halves of a times the lower (.hi: upper) two bytes of b.
static Value *dotProductOfHalves(IRBuilder<> &B, Value *X, bool XSigned, Value *Y, bool YSigned, Value *Sum,
                                 bool Upper) {
  auto Piece = [&](Value *V, unsigned Shift, unsigned Bits, bool Signed) {
    return B.CreateIntCast(B.CreateTrunc(B.CreateLShr(V, Shift), B.getIntNTy(Bits)), B.getInt32Ty(), Signed);
  };
  for (unsigned N = 0; N != 2; ++N)
    Sum = B.CreateAdd(
        Sum, B.CreateMul(Piece(X, 16 * N, 16, XSigned), Piece(Y, 8 * N + (Upper ? 16 : 0), 8, YSigned)));
  return Sum;
}

// shf.{l,r}.{wrap,clamp}.b32 d, a, b, c: shifts the 64 bits of b (upper word) and a (lower word) by c.
static Value *funnelShift(IRBuilder<> &B, Value *Low, Value *High, Value *Amount, bool Left, bool Wrap) {
  Type *Wide = B.getInt64Ty();
  Value *Both = B.CreateOr(B.CreateZExt(Low, Wide), B.CreateShl(B.CreateZExt(High, Wide), 32));
  Value *Shift = Wrap ? B.CreateAnd(Amount, B.getInt32(31))
                      : B.CreateBinaryIntrinsic(Intrinsic::umin, Amount, B.getInt32(32));
  Shift = B.CreateZExt(Shift, Wide);
  Value *Shifted = Left ? B.CreateLShr(B.CreateShl(Both, Shift), 32) : B.CreateLShr(Both, Shift);
  return B.CreateTrunc(Shifted, B.getInt32Ty());
}

static Value *combine(IRBuilder<> &B, const ptx::Instruction &O, Value *Holds, Value *With) {
  return O.has("and")   ? B.CreateAnd(Holds, With)
         : O.has("or")  ? B.CreateOr(Holds, With)
         : O.has("xor") ? B.CreateXor(Holds, With)
                        : nullptr;
}

// set and setp: the comparison follows the name; a fourth operand is combined with its result.
Value *AsmArithmetic::compare(Op O, const PtxType &T) {
  Type *As = irType(T);
  if (O.Operands.size() < 3 || O.Operands.size() > 4)
    return nullptr;
  Value *X = read(O.Operands[1], As), *Y = read(O.Operands[2], As);
  Value *Holds = X && Y ? ptxRelation(B, O.Opcode[1], T, X, Y) : nullptr;
  if (!Holds || O.Operands.size() == 3)
    return Holds;
  StringRef Name = O.Operands[3];
  const bool Negated = Name.consume_front("!");
  Value *With = T.Lanes == 1 ? read(Name, B.getInt1Ty()) : nullptr;
  return With ? combine(B, O, Holds, Negated ? B.CreateNot(With) : With) : nullptr;
}

// setp.lt[.and] p|q, a, b[, c]: q uses the inverse comparison. With two lanes, p is the first lane's result.
bool AsmArithmetic::setPredicate(Op O, const PtxType &T) {
  Value *Holds = compare(O, T);
  if (!Holds)
    return false;
  auto [First, Second] = StringRef(O.Operands[0]).split('|');
  Value *Other = nullptr;
  if (T.Lanes == 2) {
    Other = B.CreateExtractElement(Holds, uint64_t{1});
    Holds = B.CreateExtractElement(Holds, uint64_t{0});
  } else if (!Second.empty()) {
    ptx::Instruction Plain = O;
    Plain.Operands.resize(3);
    Other = B.CreateNot(compare(Plain, T));
    if (O.Operands.size() == 4) {
      StringRef Name = O.Operands[3];
      const bool Negated = Name.consume_front("!");
      Value *With = read(Name, B.getInt1Ty());
      Other = combine(B, O, Other, Negated ? B.CreateNot(With) : With);
    }
  }
  write(First, Holds);
  if (!Second.empty())
    write(Second, Other);
  return true;
}

// set.eq[.ftz].to.from: 1.0 or all bits if the comparison holds. Two lanes have the halves of one u32 or s32.
Value *AsmArithmetic::set(Op O, const PtxType &T) {
  PtxType To;
  if (O.Opcode.size() < 4 || !parsePtxType(O.Opcode[O.Opcode.size() - 2], To))
    return nullptr;
  const bool Halves = T.Lanes == 2 && To.Lanes == 1 && !To.isFloat() && To.Bits == 32;
  if (To.Lanes != T.Lanes && !Halves)
    return nullptr;
  Value *Holds = compare(O, T);
  if (Holds && Halves)
    return B.CreateBitCast(B.CreateSExt(Holds, FixedVectorType::get(B.getInt16Ty(), 2)), B.getInt32Ty());
  Type *As = irType(To);
  Value *True = To.isFloat() ? ConstantFP::get(As, 1.0) : Constant::getAllOnesValue(As);
  return Holds ? B.CreateSelect(Holds, True, Constant::getNullValue(As)) : nullptr;
}

Value *AsmArithmetic::compute(Op O) {
  const StringRef Name = O.Opcode[0];
  PtxType T;
  if (Name == "activemask")
    return B.CreateCall(L.entry("__gpuprof_cpu_activemask"), {L.thread(*I.getFunction())});
  if (Name == "cvt")
    return AsmConversions(Context).convert(O);
  if (Value *Result = AsmVideo(Context).video(O))
    return Result;
  if (O.Operands.size() < 2 || !typeOf(O, T))
    return nullptr;
  if (Name == "tanh")
    return T.isFloat() ? hyperbolicTangent(L, B, read(O.Operands[1], irType(T))) : nullptr;
  if (Name == "set")
    return set(O, T);
  if (Name == "selp" && O.Operands.size() == 4) {
    Value *X = read(O.Operands[1], irType(T)), *Y = read(O.Operands[2], irType(T));
    Value *Which = read(O.Operands[3], B.getInt1Ty());
    return X && Y && Which ? B.CreateSelect(Which, X, Y) : nullptr;
  }
  if ((Name == "dp4a" || Name == "dp2a" || Name == "shf") && O.Operands.size() == 4) {
    Type *Word = B.getInt32Ty();
    Value *X = read(O.Operands[1], Word), *Y = read(O.Operands[2], Word), *Last = read(O.Operands[3], Word);
    if (!X || !Y || !Last)
      return nullptr;
    if (Name == "dp4a")
      return dotProduct(B, X, O.Opcode[1] == "s32", Y, O.Opcode[2] == "s32", Last);
    if (Name == "dp2a")
      return dotProductOfHalves(B, X, O.Opcode[2] == "s32", Y, O.Opcode[3] == "s32", Last, O.has("hi"));
    return funnelShift(B, X, Y, Last, O.has("l"), O.has("wrap"));
  }
  if (Value *Result = AsmBits(Context).bits(O, T))
    return Result;
  return T.isFloat() ? floating(O, T) : integer(O, T);
}
} // namespace gpuprof::cpu
