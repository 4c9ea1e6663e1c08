// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "costs/PtxValues.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuprof {

/* ---- Types and numbers ---- */

bool parsePtxType(StringRef Text, PtxType &T) {
  T = PtxType();
  if (Text == "pred") {
    T.Letter = 'p';
    T.Bits = 1;
    return true;
  }
  if (Text.consume_back("x2"))
    T.Lanes = 2;
  if (Text.consume_front("bf"))
    T.Letter = 'h';
  else if (!Text.empty() && StringRef("fbus").contains(Text[0])) {
    T.Letter = Text[0];
    Text = Text.drop_front();
  }
  return T.Letter && !Text.getAsInteger(10, T.Bits) && isPowerOf2_32(T.Bits) && T.Bits >= 8 &&
         T.Bits <= 128 && (T.Letter != 'h' || T.Bits == 16);
}

bool typeOf(const ptx::Instruction &O, PtxType &T) {
  return any_of(reverse(O.Opcode), [&](StringRef Piece) { return parsePtxType(Piece, T); });
}

Type *irType(LLVMContext &C, const PtxType &T) {
  Type *Scalar = Type::getIntNTy(C, T.Bits);
  if (T.Letter == 'h')
    Scalar = Type::getBFloatTy(C);
  else if (T.Letter == 'f')
    Scalar = T.Bits == 16 ? Type::getHalfTy(C) : T.Bits == 32 ? Type::getFloatTy(C) : Type::getDoubleTy(C);
  return T.Lanes == 1 ? Scalar : FixedVectorType::get(Scalar, T.Lanes);
}

SmallVector<std::string> namesOf(const ptx::Register &R) {
  auto [Stem, Count] = StringRef(R.Name).split('<');
  unsigned Number = 0;
  if (!Count.consume_back(">") || Count.trim().getAsInteger(10, Number))
    return {R.Name};
  SmallVector<std::string> Names;
  for (unsigned N = 0; N != Number; ++N)
    Names.push_back((Stem.trim() + Twine(N)).str());
  return Names;
}

Value *reinterpret(IRBuilderBase &B, Value *V, Type *As) {
  if (V->getType() == As)
    return V;
  if (V->getType()->isPointerTy())
    V = B.CreatePtrToInt(V, B.getInt64Ty());
  Type *From = B.getIntNTy(V->getType()->getPrimitiveSizeInBits().getFixedValue());
  Type *To = B.getIntNTy(As->getPrimitiveSizeInBits().getFixedValue());
  return B.CreateBitCast(B.CreateZExtOrTrunc(B.CreateBitCast(V, From), To), As);
}

Value *ptxNumber(IRBuilderBase &B, StringRef Text, Type *As) {
  uint64_t Bits = 0;
  if (Text.starts_with_insensitive("0f") || Text.starts_with_insensitive("0d")) {
    if (Text.drop_front(2).getAsInteger(16, Bits))
      return nullptr;
    return reinterpret(B, B.getIntN(Text.size() > 10 ? 64 : 32, Bits), As);
  }
  Text.consume_back("U");
  int64_t Integer = 0;
  if (!Text.getAsInteger(0, Integer) || !Text.getAsInteger(0, reinterpret_cast<uint64_t &>(Integer)))
    return reinterpret(B, B.getInt64(static_cast<uint64_t>(Integer)), As);
  // In a register of bits, such as a matrix's, a decimal fraction is a float of the register's width.
  Type *Float = As->isIntegerTy(32) ? B.getFloatTy() : As->isIntegerTy(64) ? B.getDoubleTy() : As;
  double Number = 0;
  if (!Float->isFloatingPointTy() || Text.getAsDouble(Number))
    return nullptr;
  return B.CreateBitCast(ConstantFP::get(Float, Number), As);
}

Value *ptxRelation(IRBuilderBase &B, StringRef How, const PtxType &T, Value *X, Value *Y) {
  if (T.isFloat()) {
    const bool Unordered = How.size() == 3 && How.consume_back("u");
    const auto Which = StringSwitch<CmpInst::Predicate>(How)
                           .Case("eq", CmpInst::FCMP_OEQ)
                           .Case("ne", CmpInst::FCMP_ONE)
                           .Case("lt", CmpInst::FCMP_OLT)
                           .Case("le", CmpInst::FCMP_OLE)
                           .Case("gt", CmpInst::FCMP_OGT)
                           .Case("ge", CmpInst::FCMP_OGE)
                           .Case("num", CmpInst::FCMP_ORD)
                           .Case("nan", CmpInst::FCMP_UNO)
                           .Default(CmpInst::BAD_FCMP_PREDICATE);
    if (Which == CmpInst::BAD_FCMP_PREDICATE)
      return nullptr;
    Value *Ordered = B.CreateFCmp(Which, X, Y);
    return Unordered ? B.CreateOr(Ordered, B.CreateFCmpUNO(X, Y)) : Ordered;
  }
  const bool S = T.isSigned();
  const auto Which = StringSwitch<CmpInst::Predicate>(How)
                         .Case("eq", CmpInst::ICMP_EQ)
                         .Case("ne", CmpInst::ICMP_NE)
                         .Case("lt", S ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
                         .Case("lo", S ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
                         .Case("le", S ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
                         .Case("ls", S ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
                         .Case("gt", S ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
                         .Case("hi", S ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
                         .Case("ge", S ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
                         .Case("hs", S ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
                         .Default(CmpInst::BAD_ICMP_PREDICATE);
  return Which == CmpInst::BAD_ICMP_PREDICATE ? nullptr : B.CreateICmp(Which, X, Y);
}

/* ---- Operands ---- */

namespace {

// True for an end of the thread's way through the text.
bool leaves(const ptx::Instruction &I) {
  return I.Opcode[0] == "exit" || I.Opcode[0] == "ret" || I.Opcode[0] == "trap";
}

// The registers written by an instruction are its first operand: d, p|q, {a, b}; no address.
SmallVector<StringRef, 4> resultsOf(const ptx::Instruction &I) {
  StringRef List = I.Operands.empty() ? StringRef() : StringRef(I.Operands[0]).trim();
  SmallVector<StringRef, 4> Names;
  if (List.starts_with("["))
    return Names;
  if (List.consume_front("{"))
    List.consume_back("}");
  for (StringRef Part : split(List, ','))
    for (StringRef Name : split(Part, '|'))
      Names.push_back(Name.trim());
  return Names;
}

} // namespace

// $0… in the text: outputs first, then inputs; a tied input gives its output a first value.
PtxValues::PtxValues(CallBase &Call, const ptx::Program &Program, IRBuilderBase &B)
    : Call(Call), Program(Program), B(B) {
  unsigned Number = 0, Argument = 0;
  for (const InlineAsm::ConstraintInfo &Info : cast<InlineAsm>(Call.getCalledOperand())->ParseConstraints()) {
    if (Info.Type == InlineAsm::isClobber)
      continue;
    if ((Info.Type == InlineAsm::isInput || Info.isIndirect) && Argument < Call.arg_size()) {
      Value *V = Call.getArgOperand(Argument++);
      Registers["$" + std::to_string(Number)] = V;
      if (V->getType()->isIntegerTy(1))
        Predicates["$" + std::to_string(Number)] = 1;
      unsigned Tied = 0;
      if (!Info.Codes.empty() && !StringRef(Info.Codes[0]).getAsInteger(10, Tied))
        Registers["$" + std::to_string(Tied)] = V;
    }
    ++Number;
  }
  for (const ptx::Register &R : Program.Registers)
    if (R.Type == "pred")
      for (const std::string &Name : namesOf(R))
        Predicates[Name] = 1;
  for (const ptx::Label &L : Program.Labels)
    Forward &= Labels.try_emplace(L.Name, L.Before).second;
  for (auto [N, I] : enumerate(Program.Instructions)) {
    if (I.Opcode[0] == "brx" || I.Opcode[0] == "call")
      Forward = false;
    if (I.Opcode[0] != "bra")
      continue;
    auto Target = I.Operands.size() == 1 ? Labels.find(I.Operands[0]) : Labels.end();
    Forward &= Target != Labels.end() && Target->second > N;
  }
}

// Machine registers with a constant value.
Value *PtxValues::special(StringRef Name) {
  static constexpr StringLiteral Known[] = {"tid.x",    "tid.y",    "tid.z",   "ntid.x",  "ntid.y",
                                            "ntid.z",   "ctaid.x",  "ctaid.y", "ctaid.z", "nctaid.x",
                                            "nctaid.y", "nctaid.z", "laneid"};
  if (!Name.consume_front("%") || !is_contained(Known, Name))
    return nullptr;
  return B.CreateCall(
      Call.getModule()->getOrInsertFunction(("llvm.nvvm.read.ptx.sreg." + Name).str(), B.getInt32Ty()));
}

// Unconverted: possibly a pointer.
Value *PtxValues::raw(StringRef Operand) {
  Operand = Operand.trim();
  if (auto Known = Registers.find(Operand); Known != Registers.end())
    return Known->second;
  return special(Operand);
}

Value *PtxValues::read(StringRef Operand, Type *As) {
  Operand = Operand.trim();
  if (Value *V = raw(Operand))
    return reinterpret(B, V, As);
  return Registers.count(Operand) ? nullptr : ptxNumber(B, Operand, As);
}

Value *PtxValues::predicate(StringRef Name) {
  const bool Negated = Name.consume_front("!");
  Value *Holds = read(Name, B.getInt1Ty());
  return Negated ? negated(Holds) : Holds;
}

Value *PtxValues::address(StringRef Operand) {
  Operand = Operand.trim();
  if (!Operand.consume_front("[") || !Operand.consume_back("]"))
    return nullptr;
  auto [Name, Offset] = Operand.split('+');
  int64_t Bytes = 0;
  if (!Offset.empty() && Offset.trim().getAsInteger(0, Bytes))
    return nullptr;
  Value *Base = raw(Name);
  if (!Base)
    return nullptr;
  // The pointer behind a number has more information than the number.
  const auto *Cast = dyn_cast<Operator>(Base);
  if (Cast && Cast->getOpcode() == Instruction::PtrToInt && Base->getType()->isIntegerTy(64))
    Base = Cast->getOperand(0);
  if (!Base->getType()->isPointerTy())
    Base = B.CreateIntToPtr(reinterpret(B, Base, B.getInt64Ty()), B.getPtrTy());
  if (Base->getType() != B.getPtrTy())
    Base = B.CreateAddrSpaceCast(Base, B.getPtrTy());
  return Bytes ? B.CreateGEP(B.getInt8Ty(), Base, B.getInt64(Bytes)) : Base;
}

/* ---- Conditions; null is unknown ---- */

namespace {

bool is(Value *V, bool Constant) {
  const auto *Known = dyn_cast_or_null<ConstantInt>(V);
  return Known && Known->isOne() == Constant;
}

} // namespace

Value *PtxValues::both(Value *X, Value *Y) {
  if (is(X, false) || is(Y, false))
    return B.getFalse();
  return X && Y ? B.CreateAnd(X, Y) : nullptr;
}

Value *PtxValues::either(Value *X, Value *Y) {
  if (is(X, true) || is(Y, true))
    return B.getTrue();
  return X && Y ? B.CreateOr(X, Y) : nullptr;
}

Value *PtxValues::negated(Value *X) { return X ? B.CreateNot(X) : nullptr; }

/* ---- The way through the text ---- */

void PtxValues::walk(function_ref<void(size_t, Value *)> Visit) {
  assert(Forward && "a loop cannot be walked through");
  Value *Active = B.getTrue();
  StringMap<Value *> Arriving; // by label
  auto Label = Program.Labels.begin();
  for (auto [N, I] : enumerate(Program.Instructions)) {
    for (; Label != Program.Labels.end() && Label->Before == N; ++Label)
      if (auto From = Arriving.find(Label->Name); From != Arriving.end())
        Active = either(Active, From->second);
    Value *Holds = I.Predicate.empty() ? B.getTrue() : predicate(I.Predicate);
    Value *Executes = both(Active, Holds);
    Visit(N, Executes);
    if (I.Opcode[0] == "bra") {
      auto [Slot, New] = Arriving.try_emplace(I.Operands[0], Executes);
      if (!New)
        Slot->second = either(Slot->second, Executes);
    }
    if (I.Opcode[0] == "bra" || leaves(I))
      Active = both(Active, negated(Holds));
    else
      execute(I, Executes);
  }
}

void PtxValues::write(StringRef Name, Value *V, Value *Executes) {
  auto [Slot, New] = Registers.try_emplace(Name, V);
  if (New)
    return; // its value is undefined where this is not executed
  Value *Old = Slot->second;
  if (is(Executes, true) || (V && V == Old))
    Slot->second = V;
  else if (!Executes || !V || !Old)
    Slot->second = nullptr;
  else
    Slot->second = B.CreateSelect(Executes, V, reinterpret(B, Old, V->getType()));
}

void PtxValues::execute(const ptx::Instruction &I, Value *Executes) {
  if (is(Executes, false))
    return;
  if (I.Opcode[0] == "setp")
    return compare(I, Executes);
  const SmallVector<StringRef, 4> Results = resultsOf(I);
  if (I.Opcode[0] == "shfl" && Results.size() == 2) {
    write(Results[0], nullptr, Executes);
    return write(Results[1], sourceLaneExists(I), Executes);
  }
  Value *V = Results.size() == 1 ? compute(I) : nullptr;
  for (StringRef Name : Results)
    if (Name != "_")
      write(Name, V, Executes);
}

// setp.lt[.and] p|q, a, b[, c]: q uses the inverse comparison.
void PtxValues::compare(const ptx::Instruction &I, Value *Executes) {
  const SmallVector<StringRef, 4> Results = resultsOf(I);
  const size_t Given = I.Operands.size();
  PtxType T;
  Value *Holds = nullptr;
  if ((Given == 3 || Given == 4) && typeOf(I, T) && T.Lanes == 1 && !I.has("ftz")) {
    Type *As = irType(B.getContext(), T);
    Value *X = read(I.Operands[1], As), *Y = read(I.Operands[2], As);
    Holds = X && Y ? ptxRelation(B, I.Opcode[1], T, X, Y) : nullptr;
  }
  for (auto [N, Name] : enumerate(Results)) {
    Value *V = N == 0 ? Holds : negated(Holds);
    if (Given == 4) {
      Value *With = predicate(I.Operands[3]);
      V = I.has("and")                ? both(V, With)
          : I.has("or")               ? either(V, With)
          : I.has("xor") && V && With ? B.CreateXor(V, With)
                                      : nullptr;
    }
    if (Name != "_")
      write(Name, V, Executes);
  }
}

// shfl.sync.MODE.b32 d|p, a, b, c, mask: p is set if the source lane is in the segment (PTX ISA, shfl.sync).
// c holds the last lane in bits 0 to 4 and the mask of segments in bits 8 to 12.
Value *PtxValues::sourceLaneExists(const ptx::Instruction &I) {
  if (I.Operands.size() < 4)
    return nullptr;
  Type *As = B.getInt32Ty();
  Value *Distance = read(I.Operands[2], As), *Limits = read(I.Operands[3], As), *Lane = special("%laneid");
  if (!Distance || !Limits)
    return nullptr;
  auto FiveBits = [&](Value *V) { return B.CreateAnd(V, B.getInt32(31)); };
  Distance = FiveBits(Distance);
  Value *Segment = FiveBits(B.CreateLShr(Limits, B.getInt32(8))), *Within = B.CreateNot(Segment);
  Value *First = B.CreateAnd(Lane, Segment);
  Value *Last = B.CreateOr(First, B.CreateAnd(FiveBits(Limits), Within));
  if (I.has("up"))
    return B.CreateICmpSGE(B.CreateSub(Lane, Distance), Last);
  Value *Source = I.has("down")   ? B.CreateAdd(Lane, Distance)
                  : I.has("bfly") ? B.CreateXor(Lane, Distance)
                  : I.has("idx")  ? B.CreateOr(First, B.CreateAnd(Distance, Within))
                                  : nullptr;
  return Source ? B.CreateICmpSLE(Source, Last) : nullptr;
}

/* ---- Arithmetic; null: unknown here, or with unknown operands ---- */

Value *PtxValues::compute(const ptx::Instruction &I) {
  const StringRef Name = I.Opcode[0];
  PtxType T;
  if (I.Operands.size() < 2 || !typeOf(I, T) || T.Lanes != 1)
    return nullptr;
  if (Name == "mov" || (Name == "cvta" && I.has("global"))) { // global memory has its generic addresses
    Value *V = raw(I.Operands[1]);
    return V ? V : read(I.Operands[1], irType(B.getContext(), T));
  }
  if (Name == "cvt")
    return convert(I);
  if (Name != "selp" || I.Operands.size() != 4)
    return T.isFloat() ? nullptr : arithmetic(I, T);
  Type *As = irType(B.getContext(), T);
  Value *X = read(I.Operands[1], As), *Y = read(I.Operands[2], As), *Which = predicate(I.Operands[3]);
  return X && Y && Which ? B.CreateSelect(Which, X, Y) : nullptr;
}

// cvt.u64.s32 d, a: of integers.
Value *PtxValues::convert(const ptx::Instruction &I) {
  PtxType To, From;
  if (I.Opcode.size() != 3 || !parsePtxType(I.Opcode[1], To) || !parsePtxType(I.Opcode[2], From) ||
      To.isFloat() || From.isFloat())
    return nullptr;
  Value *V = read(I.Operands[1], irType(B.getContext(), From));
  return V ? B.CreateIntCast(V, irType(B.getContext(), To), From.isSigned()) : nullptr;
}

Value *PtxValues::arithmetic(const ptx::Instruction &I, const PtxType &T) {
  const StringRef Name = I.Opcode[0];
  const bool IsShift = Name == "shl" || Name == "shr", IsWide = I.has("wide");
  PtxType Only;
  for (StringRef Piece : drop_begin(I.Opcode)) // carries, saturation and the like are not done here
    if (Piece != "lo" && Piece != "wide" && !parsePtxType(Piece, Only))
      return nullptr;
  Type *As = irType(B.getContext(), T), *Wide = B.getIntNTy(2 * T.Bits);
  SmallVector<Value *, 3> V;
  for (auto [N, Operand] : enumerate(drop_begin(I.Operands))) {
    V.push_back(read(Operand, IsShift && N == 1 ? B.getInt32Ty() : N == 2 && IsWide ? Wide : As));
    if (!V.back())
      return nullptr;
  }
  if (V.size() == 1)
    return Name == "not" ? B.CreateNot(V[0]) : Name == "neg" ? B.CreateNeg(V[0]) : nullptr;
  auto Product = [&] {
    return IsWide ? B.CreateMul(B.CreateIntCast(V[0], Wide, T.isSigned()),
                                B.CreateIntCast(V[1], Wide, T.isSigned()))
                  : B.CreateMul(V[0], V[1]);
  };
  if (V.size() == 3)
    return Name == "mad" ? B.CreateAdd(Product(), V[2]) : nullptr;
  if (V.size() != 2)
    return nullptr;
  if (IsShift) { // an amount beyond the width shifts everything out
    Value *Over = B.CreateICmpUGE(V[1], B.getInt32(T.Bits)), *Last = B.getInt32(T.Bits - 1);
    Value *Amount = B.CreateZExtOrTrunc(B.CreateSelect(Over, Last, V[1]), As);
    if (Name == "shr" && T.isSigned())
      return B.CreateAShr(V[0], Amount);
    Value *Shifted = Name == "shl" ? B.CreateShl(V[0], Amount) : B.CreateLShr(V[0], Amount);
    return B.CreateSelect(Over, ConstantInt::get(As, 0), Shifted);
  }
  if (Name == "min" || Name == "max") {
    const CmpInst::Predicate Less = T.isSigned() ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT;
    const bool Least = Name == "min";
    return B.CreateSelect(B.CreateICmp(Less, V[0], V[1]), V[Least ? 0 : 1], V[Least ? 1 : 0]);
  }
  return Name == "add"   ? B.CreateAdd(V[0], V[1])
         : Name == "sub" ? B.CreateSub(V[0], V[1])
         : Name == "mul" ? Product()
         : Name == "and" ? B.CreateAnd(V[0], V[1])
         : Name == "or"  ? B.CreateOr(V[0], V[1])
         : Name == "xor" ? B.CreateXor(V[0], V[1])
                         : nullptr;
}

} // namespace gpuprof
