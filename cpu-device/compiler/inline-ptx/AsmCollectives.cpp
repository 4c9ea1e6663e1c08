// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inline-ptx/AsmCollectives.h"
#include "module/Matrix.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprof::cpu {
// redux.sync.{min,max}[.abs][.NaN].f32: computed on integers in the order of the floats. NaN is the last
// choice, or with .NaN the first. Its bits are all ones without the sign in one order, and all ones in the
// other.
bool AsmCollectives::extremeOfFloats(Op O) {
  Type *Word = B.getInt32Ty(), *Float = B.getFloatTy();
  const bool Least = O.has("min");
  if (O.Operands.size() != 3 || (!Least && !O.has("max")))
    return false;
  Value *V = read(O.Operands[1], Float), *Mask = read(O.Operands[2], Word);
  if (!V || !Mask)
    return false;
  if (O.has("abs"))
    V = B.CreateUnaryIntrinsic(Intrinsic::fabs, V);
  auto Flip = [&](Value *Bits) { return B.CreateXor(Bits, B.CreateLShr(B.CreateAShr(Bits, 31), 1)); };
  const bool NaNIsLeast = Least == O.has("NaN");
  Value *Key = B.CreateSelect(B.CreateFCmpUNO(V, V), B.getInt32(NaNIsLeast ? 0x80000000 : 0x7fffffff),
                              Flip(B.CreateBitCast(V, Word)));
  constexpr uint32_t Minimum = 3, Maximum = 4; // as in cpu_entries.inc
  Value *Result =
      B.CreateCall(L.entry("__gpuprof_cpu_redux"),
                   {L.thread(*I.getFunction()), B.getInt32(Least ? Minimum : Maximum), Mask, Key});
  Value *Found = B.CreateBitCast(Flip(Result), Float);
  write(O.Operands[0], B.CreateSelect(B.CreateFCmpUNO(Found, Found), ConstantFP::getNaN(Float), Found));
  return true;
}

// shfl, vote, match, redux and bar.warp: the lanes of the mask (the last operand) meet in the emulator.
bool AsmCollectives::collective(Op O) {
  if (O.Opcode[0] == "redux" && O.has("f32"))
    return extremeOfFloats(O);
  struct Row {
    const char *Name, *Entry;
    SmallVector<const char *> Kinds; // in the order of cpu_entries.inc
    size_t Operands;
  };
  static const Row Rows[] = {
      {"shfl", "__gpuprof_cpu_shuffle", {"up", "down", "bfly", "idx"}, 5},
      {"vote", "__gpuprof_cpu_vote", {"all", "any", "uni", "ballot"}, 3},
      {"match", "__gpuprof_cpu_match", {"any", "all"}, 3},
      {"redux", "__gpuprof_cpu_redux", {"add", "umin", "umax", "min", "max", "and", "or", "xor"}, 3},
      {"bar", "__gpuprof_cpu_syncwarp", {"warp"}, 1},
  };
  const auto *Known = find_if(Rows, [&](const Row &R) { return O.Opcode[0] == R.Name; });
  if (Known == std::end(Rows) || !O.has("sync") || O.Operands.size() != Known->Operands)
    return false;
  const bool Unsigned = O.Opcode[0] == "redux" && O.has("u32");
  const auto *Kind = find_if(Known->Kinds, [&](StringRef K) {
    return O.has(K.str()) || (Unsigned && K.consume_front("u") && O.has(K.str()));
  });
  Type *Word = B.getInt32Ty();
  Value *Mask = read(O.Operands.back(), Word);
  if (Kind == Known->Kinds.end() || !Mask)
    return false;
  SmallVector<Value *> Arguments{L.thread(*I.getFunction())};
  if (O.Opcode[0] == "bar") {
    B.CreateCall(L.entry(Known->Entry), {Arguments[0], Mask});
    return true;
  }
  Arguments.append({B.getInt32(static_cast<uint32_t>(Kind - Known->Kinds.begin())), Mask});
  StringRef Given = StringRef(O.Operands[1]).trim();
  const bool Negated = O.Opcode[0] == "vote" && Given.consume_front("!");
  Value *V = read(Given, O.Opcode[0] == "vote" ? B.getInt1Ty() : Word);
  if (O.Opcode[0] == "match" && O.has("b64"))
    V = read(Given, B.getInt64Ty());
  if (!V)
    return false;
  Arguments.push_back(
      B.CreateZExt(Negated ? B.CreateNot(V) : V, O.Opcode[0] == "match" ? B.getInt64Ty() : Word));
  for (size_t N = 2; N + 1 < O.Operands.size(); ++N) {
    Arguments.push_back(read(O.Operands[N], Word));
    if (!Arguments.back())
      return false;
  }
  Value *Result = B.CreateCall(L.entry(Known->Entry), Arguments);
  auto [To, Flag] = StringRef(O.Operands[0]).split('|');
  if (!Flag.empty())
    write(Flag, B.CreateTrunc(B.CreateLShr(Result, 32), B.getInt1Ty()));
  Value *Low = B.CreateZExtOrTrunc(Result, Word);
  write(To, O.Opcode.back() == "pred" ? B.CreateIsNotNull(Low) : Low);
  return true;
}

// mma.sync.aligned.SHAPE.… {d}, {a}, {b}, {c}; mma.sp.… with metadata and selector behind them.
bool AsmCollectives::mma(Op O) {
  const SmallVector<StringRef> Pieces(O.Opcode.begin(), O.Opcode.end());
  std::optional<MatrixForm> Form = MatrixForm::parse(Pieces);
  SmallVector<Value *> Given[3];
  if (!Form || O.Operands.size() != (Form->Sparse ? 6 : 4))
    return false;
  const unsigned Bits[] = {Form->BitsA, Form->BitsB, Form->BitsC};
  for (unsigned N = 0; N != 3; ++N)
    if (!readList(O.Operands[N + 1], B.getIntNTy(Bits[N] == 64 ? 64 : 32), Given[N]))
      return false;
  if (Form->Sparse) {
    Given[0].push_back(read(O.Operands[4], B.getInt32Ty()));
    auto *Lanes = dyn_cast_or_null<ConstantInt>(read(O.Operands[5], B.getInt32Ty()));
    if (!Given[0].back() || !Lanes)
      return false;
    Form->select(static_cast<unsigned>(Lanes->getZExtValue()));
  }
  writeList(O.Operands[0], matrixProduct(L, B, *Form, Given[0], Given[1], Given[2]));
  return true;
}

// mma; ldmatrix {d}, [p]; stmatrix [p], {a}; movmatrix d, a: the whole warp.
bool AsmCollectives::matrix(Op O) {
  const StringRef Name = O.Opcode[0];
  if (O.Operands.size() < 2)
    return false;
  if (Name == "mma")
    return mma(O);
  if (Name == "movmatrix" && O.has("trans")) {
    Value *V = read(O.Operands[1], B.getInt32Ty());
    if (V)
      write(O.Operands[0], matrixTranspose(L, B, V));
    return V;
  }
  if ((Name != "ldmatrix" && Name != "stmatrix") || !O.has("m8n8") || !O.has("b16"))
    return false;
  const bool IsLoad = Name == "ldmatrix";
  Value *Address = address(O, O.Operands[IsLoad ? 1 : 0]);
  SmallVector<Value *> Given;
  if (!Address || (!IsLoad && !readList(O.Operands[1], B.getInt32Ty(), Given)))
    return false;
  if (IsLoad)
    writeList(O.Operands[0], matrixLoad(L, B, static_cast<unsigned>(listedNames(O.Operands[0]).size()),
                                        O.has("trans"), Address));
  else
    matrixStore(L, B, O.has("trans"), Address, Given);
  return true;
}
} // namespace gpuprof::cpu
