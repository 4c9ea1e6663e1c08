// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's video instructions on two halves or four bytes of a word: the parts of CUDA's SIMD functions
// (__vadd2, …).
#include "inline-ptx/AsmVideo.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// vNAME{2,4}.RESULT.LEFT.RIGHT[.sat][.add] or, of vset, vset{2,4}.LEFT.RIGHT.RELATION.
struct Video {
  StringRef Name;
  unsigned Lanes = 0;
  bool ResultSigned = false, LeftSigned = false, RightSigned = false;

  static bool parse(const ptx::Instruction &O, Video &V) {
    V.Name = O.Opcode[0];
    V.Lanes = V.Name.consume_back("2") ? 2 : V.Name.consume_back("4") ? 4 : 0;
    if (!V.Lanes || !V.Name.consume_front("v") || O.Opcode.size() < 4 || O.Operands.size() != 4)
      return false;
    SmallVector<bool> Signs;
    for (const std::string &Piece : drop_begin(O.Opcode))
      if (Piece == "s32" || Piece == "u32")
        Signs.push_back(Piece == "s32");
    if (Signs.size() == 2)
      Signs.insert(Signs.begin(), false); // the result of vset is 0 or 1
    if (Signs.size() != 3)
      return false;
    V.ResultSigned = Signs[0];
    V.LeftSigned = Signs[1];
    V.RightSigned = Signs[2];
    return true;
  }
};

Value *relation(IRBuilder<> &B, const ptx::Instruction &O, Value *X, Value *Y) {
  // Both are wide enough for a signed comparison.
  return O.has("eq")   ? B.CreateICmpEQ(X, Y)
         : O.has("ne") ? B.CreateICmpNE(X, Y)
         : O.has("lt") ? B.CreateICmpSLT(X, Y)
         : O.has("le") ? B.CreateICmpSLE(X, Y)
         : O.has("gt") ? B.CreateICmpSGT(X, Y)
         : O.has("ge") ? B.CreateICmpSGE(X, Y)
                       : nullptr;
}

// Elements are widened to 32 bits: nothing overflows.
Value *combine(IRBuilder<> &B, const Video &V, const ptx::Instruction &O, Value *X, Value *Y) {
  auto Number = [&](int N) { return ConstantInt::getSigned(X->getType(), N); };
  if (V.Name == "add")
    return B.CreateAdd(X, Y);
  if (V.Name == "sub")
    return B.CreateSub(X, Y);
  if (V.Name == "min")
    return B.CreateBinaryIntrinsic(Intrinsic::smin, X, Y);
  if (V.Name == "max")
    return B.CreateBinaryIntrinsic(Intrinsic::smax, X, Y);
  if (V.Name == "absdiff")
    return B.CreateIntrinsic(Intrinsic::abs, {X->getType()}, {B.CreateSub(X, Y), B.getFalse()});
  if (V.Name == "avrg") { // ties away from zero
    Value *Sum = B.CreateAdd(X, Y);
    Value *Up = B.CreateZExt(B.CreateICmpSGE(Sum, Number(0)), X->getType());
    return B.CreateAShr(B.CreateAdd(Sum, Up), Number(1));
  }
  Value *Holds = V.Name == "set" ? relation(B, O, X, Y) : nullptr;
  return Holds ? B.CreateZExt(Holds, X->getType()) : nullptr;
}
} // namespace

Value *AsmVideo::video(Op O) {
  Video V;
  if (!Video::parse(O, V))
    return nullptr;
  Type *Word = B.getInt32Ty();
  const unsigned Bits = 32 / V.Lanes;
  auto *Narrow = FixedVectorType::get(B.getIntNTy(Bits), V.Lanes),
       *Wide = FixedVectorType::get(Word, V.Lanes);
  Value *X = read(O.Operands[1], Word), *Y = read(O.Operands[2], Word), *Addend = read(O.Operands[3], Word);
  if (!X || !Y || !Addend)
    return nullptr;
  X = B.CreateIntCast(B.CreateBitCast(X, Narrow), Wide, V.LeftSigned);
  Y = B.CreateIntCast(B.CreateBitCast(Y, Narrow), Wide, V.RightSigned);
  Value *Result = combine(B, V, O, X, Y);
  if (!Result)
    return nullptr;
  if (O.has("add")) {
    for (unsigned N = 0; N != V.Lanes; ++N)
      Addend = B.CreateAdd(Addend, B.CreateExtractElement(Result, uint64_t{N}));
    return Addend;
  }
  if (O.has("sat")) {
    const int64_t Span = int64_t(1) << Bits, Least = V.ResultSigned ? -Span / 2 : 0;
    Result = B.CreateBinaryIntrinsic(Intrinsic::smax, Result, ConstantInt::getSigned(Wide, Least));
    Result = B.CreateBinaryIntrinsic(Intrinsic::smin, Result, ConstantInt::getSigned(Wide, Least + Span - 1));
  }
  return B.CreateBitCast(B.CreateTrunc(Result, Narrow), Word);
}
} // namespace gpuprof::cpu
