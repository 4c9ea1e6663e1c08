// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of NVPTX intrinsics. Its rows are matched by the longest prefix, at dots, of the name behind
// `llvm.nvvm.`. Flushing to zero is not modelled: counts do not depend on it.
#include "lower/Intrinsics.h"
#include "inline-ptx/AsmBits.h"
#include "inline-ptx/AsmMemory.h"
#include "lower/IntrinsicTexts.h"
#include "module/Lowering.h"
#include "module/Matrix.h"
#include "module/NumericHelpers.h"
#include "module/Rounding.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/AtomicOrdering.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
struct Call {
  Lowering &L;
  CallInst &I;
  IRBuilder<> B;
  SmallVector<StringRef> Parts; // of the name behind llvm.nvvm.

  Value *arg(unsigned N) const { return I.getArgOperand(N); }
  Type *type() const { return I.getType(); }
  bool has(StringRef Part) const { return is_contained(Parts, Part); }
  Value *thread() { return L.thread(*I.getFunction()); }
  Value *number(unsigned N) { return B.getInt32(N); }
  Value *call(StringRef Entry, ArrayRef<Value *> Arguments) {
    return B.CreateCall(L.entry(Entry), Arguments);
  }
  Value *word(Value *V) { return B.CreateZExtOrTrunc(V, B.getInt32Ty()); }
};

// A handler returns the result (anything but null for void calls), or null for an unknown form.
using Handler = Value *(*)(Call &);
Value *done(Call &C) { return C.B.getInt32(0); }

// Position of a name in a list, or -1.
int indexOf(ArrayRef<const char *> Names, const Call &C) {
  for (unsigned N = 0; N != Names.size(); ++N)
    if (C.has(Names[N]))
      return static_cast<int>(N);
  return -1;
}

// ---- Threads and their collectives
// ------------------------------------------------------------------------------
Value *readRegister(Call &C) {
  std::string Name;
  for (StringRef Part : ArrayRef<StringRef>(C.Parts).drop_front(3)) // behind read.ptx.sreg
    Name += (Name.empty() ? "" : ".") + Part.str();
  Value *V = specialRegister(C.L, C.B, Name);
  return V ? C.B.CreateZExtOrTrunc(V, C.type()) : nullptr;
}

Value *barrier(Call &C) {
  if (C.has("arrive") || C.has("cluster"))
    return nullptr;
  Value *Id = C.I.arg_size() > 0 ? C.arg(0) : C.number(0);
  Value *Count = C.I.arg_size() > 1 ? C.arg(1) : C.number(0);
  return C.call("__gpuprof_cpu_barrier", {C.thread(), Id, Count});
}

Value *barrierReduce(Call &C) {
  const int Kind = indexOf({"popc", "and", "or"}, C);
  if (Kind < 0 || C.has("count"))
    return nullptr;
  Value *Predicate = C.I.getArgOperand(C.I.arg_size() - 1);
  Predicate = C.word(C.B.CreateICmpNE(Predicate, Constant::getNullValue(Predicate->getType())));
  Value *Result = C.call("__gpuprof_cpu_barrier_reduce", {C.thread(), C.number(Kind), Predicate});
  return C.type()->isIntegerTy(1) ? C.B.CreateICmpNE(Result, C.number(0)) : Result;
}

Value *oldBarrier(Call &C) {
  return C.Parts.size() > 1 && C.Parts[0] == "barrier0" ? barrierReduce(C) : barrier(C);
}
Value *syncWarp(Call &C) { return C.call("__gpuprof_cpu_syncwarp", {C.thread(), C.arg(0)}); }

// A struct result {value, predicate} from the entries' 64 bits.
Value *valueAndPredicate(Call &C, Value *Wide, Type *ValueType) {
  Value *Low = C.B.CreateTrunc(Wide, C.B.getInt32Ty());
  Value *Result = C.B.CreateBitCast(Low, ValueType);
  if (!C.type()->isStructTy())
    return Result;
  Value *Predicate = C.B.CreateTrunc(C.B.CreateLShr(Wide, 32), C.B.getInt1Ty());
  Value *Both = C.B.CreateInsertValue(PoisonValue::get(C.type()), Result, 0);
  return C.B.CreateInsertValue(Both, Predicate, 1);
}

Value *shuffle(Call &C) {
  const int Kind = indexOf({"up", "down", "bfly", "idx"}, C);
  const bool Sync = C.has("sync");
  if (Kind < 0 || C.I.arg_size() != (Sync ? 4u : 3u))
    return nullptr;
  Value *Mask = Sync ? C.arg(0) : C.B.getInt32(~0u);
  Value *Data = C.arg(Sync);
  Value *Wide = C.call("__gpuprof_cpu_shuffle",
                       {C.thread(), C.number(Kind), Mask, C.B.CreateBitCast(Data, C.B.getInt32Ty()),
                        C.arg(Sync + 1), C.arg(Sync + 2)});
  return valueAndPredicate(C, Wide, Data->getType());
}

Value *vote(Call &C) {
  const int Kind = indexOf({"all", "any", "uni", "ballot"}, C);
  const bool Sync = C.has("sync");
  if (Kind < 0)
    return nullptr;
  Value *Mask = Sync ? C.arg(0) : C.B.getInt32(~0u);
  Value *Result = C.call("__gpuprof_cpu_vote", {C.thread(), C.number(Kind), Mask, C.word(C.arg(Sync))});
  return C.type()->isIntegerTy(1) ? C.B.CreateICmpNE(Result, C.number(0)) : Result;
}

Value *match(Call &C) {
  const int Kind = indexOf({"any", "all"}, C);
  if (Kind < 0)
    return nullptr;
  Value *Wide = C.call("__gpuprof_cpu_match",
                       {C.thread(), C.number(Kind), C.arg(0), C.B.CreateZExt(C.arg(1), C.B.getInt64Ty())});
  return valueAndPredicate(C, Wide, C.B.getInt32Ty());
}

Value *redux(Call &C) {
  const int Kind = indexOf({"add", "umin", "umax", "min", "max", "and", "or", "xor"}, C);
  if (Kind < 0 || !C.type()->isIntegerTy(32))
    return nullptr;
  return C.call("__gpuprof_cpu_redux", {C.thread(), C.number(Kind), C.arg(1), C.arg(0)});
}

Value *activeMask(Call &C) { return C.call("__gpuprof_cpu_activemask", {C.thread()}); }

// The lowest lane of the mask is elected.
Value *elect(Call &C) {
  Value *Leader = C.B.CreateIntrinsic(Intrinsic::cttz, {C.B.getInt32Ty()}, {C.arg(0), C.B.getFalse()});
  Value *Both = C.B.CreateInsertValue(PoisonValue::get(C.type()), Leader, 0);
  return C.B.CreateInsertValue(Both, C.B.CreateICmpEQ(Leader, C.L.load(C.B, Field::laneid)), 1);
}

Value *findSet(Call &C) { return C.call("__gpuprof_cpu_find_set", {C.arg(0), C.arg(1), C.arg(2)}); }

Value *fence(Call &C) {
  C.B.CreateFence(AtomicOrdering::SequentiallyConsistent);
  return done(C);
}
Value *nanosleep(Call &C) { return C.call("__gpuprof_cpu_nanosleep", {C.thread(), C.arg(0)}); }

// ---- Memory
// -----------------------------------------------------------------------------------------------------
Value *isSpace(Call &C) {
  return isInSpace(C.L, C.B, C.arg(0), C.has("cluster") ? "shared::cluster" : C.Parts[1]);
}

Value *plainLoad(Call &C) {
  Align Alignment(1);
  if (C.I.arg_size() > 1)
    Alignment = cast<ConstantInt>(C.arg(1))->getAlignValue();
  return C.B.CreateAlignedLoad(C.type(), C.arg(0), Alignment);
}

// cp.async.{ca,cg}.shared.global.BYTES[.s] to, from[, bytes to read].
Value *asyncCopy(Call &C) {
  unsigned Bytes = 0;
  for (StringRef Part : C.Parts)
    if (!Part.getAsInteger(10, Bytes))
      break;
  Value *Given = C.I.arg_size() > 2 ? C.arg(2) : nullptr;
  return copyNow(C.B, C.arg(0), C.arg(1), Bytes, Given) ? done(C) : nullptr;
}

Value *arriveAfterCopies(Call &C) {
  if (C.has("noinc"))
    C.call("__gpuprof_cpu_mbarrier_arrive",
           {C.B.CreateAddrSpaceCast(C.arg(0), C.B.getPtrTy()), C.number(1), C.number(0), C.number(0)});
  return done(C);
}

// mbarrier.init[.shared], .arrive[.noComplete], .test.wait, …; here the parts of the instruction's name are
// separate.
Value *barrierObject(Call &C) {
  Value *Address =
      C.arg(0)->getType()->isPointerTy() ? C.B.CreateAddrSpaceCast(C.arg(0), C.B.getPtrTy()) : nullptr;
  if (C.has("pending"))
    return C.call("__gpuprof_cpu_mbarrier_pending", {C.arg(0)});
  if (C.has("inval"))
    return done(C);
  if (!Address || C.has("tx") || C.has("cluster"))
    return nullptr;
  if (C.has("init"))
    return C.call("__gpuprof_cpu_mbarrier_init", {Address, C.arg(1)});
  if (C.has("test"))
    return C.B.CreateIsNotNull(
        C.call("__gpuprof_cpu_mbarrier_test", {C.thread(), Address, C.arg(1), C.number(0)}));
  if (!C.has("arrive"))
    return nullptr;
  Value *Count = C.I.arg_size() > 1 ? C.arg(1) : C.number(1);
  return C.call("__gpuprof_cpu_mbarrier_arrive", {Address, Count, C.number(0), C.number(C.has("drop"))});
}

Value *castSpace(Call &C) { return C.B.CreateAddrSpaceCast(C.arg(0), C.type()); }

Value *atomic(Call &C) {
  constexpr auto Order = AtomicOrdering::Monotonic;
  if (C.has("cas")) {
    Value *Pair = C.B.CreateAtomicCmpXchg(C.arg(0), C.arg(1), C.arg(2), MaybeAlign(), Order, Order);
    return C.B.CreateExtractValue(Pair, 0);
  }
  const bool Float = C.type()->isFloatingPointTy();
  const auto Operation = StringSwitch<AtomicRMWInst::BinOp>(C.Parts[1] == "load" ? C.Parts[2] : C.Parts[1])
                             .Case("add", Float ? AtomicRMWInst::FAdd : AtomicRMWInst::Add)
                             .Case("exch", AtomicRMWInst::Xchg)
                             .Case("max", AtomicRMWInst::Max)
                             .Case("min", AtomicRMWInst::Min)
                             .Case("inc", AtomicRMWInst::UIncWrap)
                             .Case("dec", AtomicRMWInst::UDecWrap)
                             .Case("and", AtomicRMWInst::And)
                             .Case("or", AtomicRMWInst::Or)
                             .Case("xor", AtomicRMWInst::Xor)
                             .Default(AtomicRMWInst::BAD_BINOP);
  if (Operation == AtomicRMWInst::BAD_BINOP)
    return nullptr;
  return C.B.CreateAtomicRMW(Operation, C.arg(0), C.arg(1), MaybeAlign(), Order);
}

// ---- Arithmetic
// -------------------------------------------------------------------------------------------------
bool isFloat(const Call &C) { return C.type()->isFPOrFPVectorTy(); }

template <Intrinsic::ID Id> Value *intrinsic(Call &C) {
  if (!isFloat(C))
    return nullptr;
  SmallVector<Value *> Arguments(C.I.args());
  return C.B.CreateIntrinsic(Id, {C.type()}, Arguments);
}

Value *clampToOne(Call &C, Value *V) {
  Type *T = V->getType();
  V = C.B.CreateIntrinsic(Intrinsic::maxnum, {T}, {V, ConstantFP::get(T, 0.0)}); // NaN becomes 0
  return C.B.CreateIntrinsic(Intrinsic::minnum, {T}, {V, ConstantFP::get(T, 1.0)});
}

Value *finish(Call &C, Value *V) {
  if (C.has("sat"))
    return clampToOne(C, V);
  return C.has("relu")
             ? C.B.CreateIntrinsic(Intrinsic::maxnum, {V->getType()}, {V, ConstantFP::get(V->getType(), 0.0)})
             : V;
}

// add.rz.f and relatives; null: to nearest.
Value *directed(Call &C) {
  const StringRef Mode = roundingOf(C.Parts);
  const SmallVector<Value *> Operands(C.I.args());
  return Mode.empty() ? nullptr : roundedArithmetic(C.B, C.Parts[0], Mode, Operands);
}

template <Instruction::BinaryOps Op> Value *binary(Call &C) {
  if (Value *Rounded = directed(C))
    return finish(C, Rounded);
  return isFloat(C) ? finish(C, C.B.CreateBinOp(Op, C.arg(0), C.arg(1))) : nullptr;
}
Value *fma(Call &C) {
  if (Value *Rounded = directed(C))
    return finish(C, Rounded);
  return isFloat(C) ? finish(C, intrinsic<Intrinsic::fma>(C)) : nullptr;
}
Value *squareRoot(Call &C) {
  Value *Rounded = directed(C);
  return Rounded ? Rounded : intrinsic<Intrinsic::sqrt>(C);
}
Value *saturate(Call &C) { return clampToOne(C, C.arg(0)); }
Value *negate(Call &C) { return isFloat(C) ? C.B.CreateFNeg(C.arg(0)) : nullptr; }
Value *minimum(Call &C) {
  return C.has("nan") ? intrinsic<Intrinsic::minimum>(C) : intrinsic<Intrinsic::minnum>(C);
}
Value *maximum(Call &C) {
  return C.has("nan") ? intrinsic<Intrinsic::maximum>(C) : intrinsic<Intrinsic::maxnum>(C);
}

Value *reciprocal(Call &C) {
  if (Value *Rounded = directed(C))
    return Rounded;
  return isFloat(C) ? C.B.CreateFDiv(ConstantFP::get(C.type(), 1.0), C.arg(0)) : nullptr;
}
Value *reciprocalRoot(Call &C) {
  Value *Root = intrinsic<Intrinsic::sqrt>(C);
  return Root ? C.B.CreateFDiv(ConstantFP::get(C.type(), 1.0), Root) : nullptr;
}

Value *tangent(Call &C) { return isFloat(C) ? hyperbolicTangent(C.L, C.B, C.arg(0)) : nullptr; }

Value *highProduct(Call &C) {
  const unsigned Bits = C.type()->getIntegerBitWidth();
  const bool Signed = !C.Parts.back().starts_with("u");
  Type *Wide = C.B.getIntNTy(2 * Bits);
  Value *Product =
      C.B.CreateMul(C.B.CreateIntCast(C.arg(0), Wide, Signed), C.B.CreateIntCast(C.arg(1), Wide, Signed));
  return C.B.CreateTrunc(C.B.CreateLShr(Product, Bits), C.type());
}

// The low 24 bits of each operand, extended.
Value *product24(Call &C) {
  const bool Signed = !C.Parts.back().starts_with("u");
  auto Low = [&](Value *V) {
    return Signed ? C.B.CreateAShr(C.B.CreateShl(V, 8), 8) : C.B.CreateLShr(C.B.CreateShl(V, 8), 8);
  };
  return C.B.CreateMul(Low(C.arg(0)), Low(C.arg(1)));
}

Value *sumOfDifference(Call &C) {
  const bool Signed = !C.Parts.back().starts_with("u");
  const CmpInst::Predicate Greater = Signed ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT;
  Value *Difference = C.B.CreateSelect(C.B.CreateICmp(Greater, C.arg(0), C.arg(1)),
                                       C.B.CreateSub(C.arg(0), C.arg(1)), C.B.CreateSub(C.arg(1), C.arg(0)));
  return C.B.CreateAdd(Difference, C.arg(2));
}

Value *permute(Call &C) {
  return C.Parts.size() > 1 ? nullptr : permuteBytes(C.B, C.arg(0), C.arg(1), C.arg(2));
}

// idp4a.{s,u}.{s,u}: four products of bytes and a sum.
Value *dotProduct(Call &C) {
  if (C.Parts.size() != 3)
    return nullptr;
  auto Byte = [&](Value *V, unsigned N, bool Signed) {
    Value *Narrow = C.B.CreateTrunc(C.B.CreateLShr(V, 8 * N), C.B.getInt8Ty());
    return C.B.CreateIntCast(Narrow, C.B.getInt32Ty(), Signed);
  };
  Value *Sum = C.arg(2);
  for (unsigned N = 0; N != 4; ++N)
    Sum = C.B.CreateAdd(
        Sum, C.B.CreateMul(Byte(C.arg(0), N, C.Parts[1] == "s"), Byte(C.arg(1), N, C.Parts[2] == "s")));
  return Sum;
}

// ---- Conversions
// ------------------------------------------------------------------------------------------------ d2i.rn,
// f2ull.rz.ftz, i2f.rm, d2f.rn, …: source and target letters around the 2.
Clamping clamping(const Call &C) { return {C.has("relu"), C.has("sat"), C.has("satfinite")}; }

Value *convert(Call &C, StringRef From, StringRef To) {
  const StringRef Rounding = C.Parts.size() > 1 ? C.Parts[1] : "rn";
  Value *V = C.arg(0);
  if (From == "h" && V->getType()->isIntegerTy(16))
    V = C.B.CreateBitCast(V, C.B.getHalfTy());
  if (V->getType()->isIntegerTy())
    return roundedFromInteger(C.B, V, C.type(), !From.starts_with("u"), roundingOf(C.Parts));
  if (To == "h" && C.type()->isIntegerTy(16))
    return C.B.CreateBitCast(C.B.CreateFPTrunc(V, C.B.getHalfTy()), C.type());
  if (C.type()->isIntegerTy())
    return toInteger(C.B, V, C.type(), !To.starts_with("u"), Rounding);
  return C.type()->isFloatingPointTy() ? narrowFloat(C.B, V, C.type(), roundingOf(C.Parts), clamping(C))
                                       : nullptr;
}

// ff2f16x2, ff2bf16x2: the first operand becomes the upper half.
Value *packTwo(Call &C) {
  auto *Vector = dyn_cast<FixedVectorType>(C.type());
  if (!Vector || C.has("rs"))
    return nullptr;
  Type *Element = Vector->getElementType();
  auto Narrow = [&](Value *V) { return narrowFloat(C.B, V, Element, roundingOf(C.Parts), clamping(C)); };
  Value *Result = C.B.CreateInsertElement(PoisonValue::get(Vector), Narrow(C.arg(1)), uint64_t{0});
  return C.B.CreateInsertElement(Result, Narrow(C.arg(0)), uint64_t{1});
}

Value *halfOfDouble(Call &C) {
  Value *Bits = C.B.CreateBitCast(C.arg(0), C.B.getInt64Ty());
  return C.B.CreateTrunc(C.has("hi") ? C.B.CreateLShr(Bits, 32) : Bits, C.B.getInt32Ty());
}
Value *doubleOfHalves(Call &C) {
  Type *Wide = C.B.getInt64Ty();
  Value *Bits =
      C.B.CreateOr(C.B.CreateZExt(C.arg(0), Wide), C.B.CreateShl(C.B.CreateZExt(C.arg(1), Wide), 32));
  return C.B.CreateBitCast(Bits, C.type());
}
Value *given(Call &C) { return C.arg(0); }
Value *exactly(Call &C) { return C.number(0); } // as __nvvm_reflect: no flush to zero, exact roots
Value *bitcast(Call &C) { return C.B.CreateBitCast(C.arg(0), C.type()); }

struct Row {
  const char *Name;
  Handler Lower;
};
constexpr Row Rows[] = {
    {"read.ptx.sreg", readRegister},
    {"barrier.cta.sync", barrier},
    {"barrier.cta.red", barrierReduce},
    {"barrier0", oldBarrier},
    {"barrier", barrier},
    {"bar.sync", barrier},
    {"bar.warp.sync", syncWarp},
    {"shfl", shuffle},
    {"vote", vote},
    {"match", match},
    {"redux.sync", redux},
    {"activemask", activeMask},
    {"elect.sync", elect},
    {"fns", findSet},
    {"cp.async.ca.shared.global", asyncCopy},
    {"cp.async.cg.shared.global", asyncCopy},
    {"cp.async.mbarrier.arrive", arriveAfterCopies},
    {"cp.async.commit.group", done},
    {"cp.async.wait.group", done},
    {"cp.async.wait.all", done},
    {"cp.async.bulk.commit.group", done},
    {"cp.async.bulk.wait.group", done},
    {"mbarrier", barrierObject},
    {"prefetch", done},
    {"prefetchu", done},
    {"setmaxnreg", done},
    {"griddepcontrol", done},
    {"applypriority", done},
    {"discard", done},
    {"wgmma", done},
    {"membar", fence},
    {"fence", fence},
    {"nanosleep", nanosleep},
    {"isspacep", isSpace},
    {"ldg.global", plainLoad},
    {"ldu.global", plainLoad},
    {"ptr", castSpace},
    {"atomic", atomic},
    {"fma", fma},
    {"add", binary<Instruction::FAdd>},
    {"sub", binary<Instruction::FSub>},
    {"mul", binary<Instruction::FMul>},
    {"div", binary<Instruction::FDiv>},
    {"rcp", reciprocal},
    {"sqrt", squareRoot},
    {"rsqrt", reciprocalRoot},
    {"ex2", intrinsic<Intrinsic::exp2>},
    {"lg2", intrinsic<Intrinsic::log2>},
    {"sin", intrinsic<Intrinsic::sin>},
    {"cos", intrinsic<Intrinsic::cos>},
    {"tanh", tangent},
    {"fabs", intrinsic<Intrinsic::fabs>},
    {"ceil", intrinsic<Intrinsic::ceil>},
    {"floor", intrinsic<Intrinsic::floor>},
    {"trunc", intrinsic<Intrinsic::trunc>},
    {"round", intrinsic<Intrinsic::rint>},
    {"fmin", minimum},
    {"fmax", maximum},
    {"neg", negate},
    {"saturate", saturate},
    {"mulhi", highProduct},
    {"mul24", product24},
    {"sad", sumOfDifference},
    {"prmt", permute},
    {"idp4a", dotProduct},
    {"d2i.lo", halfOfDouble},
    {"d2i.hi", halfOfDouble},
    {"lohi.i2d", doubleOfHalves},
    {"bitcast", bitcast},
    {"move", given},
    {"reflect", exactly},
    {"ff2f16x2", packTwo},
    {"ff2bf16x2", packTwo},
};

Handler find(StringRef Name) {
  for (;;) {
    for (const Row &Known : Rows)
      if (Name == Known.Name)
        return Known.Lower;
    const size_t Dot = Name.rfind('.');
    if (Dot == StringRef::npos)
      return nullptr;
    Name = Name.take_front(Dot);
  }
}

bool isConversion(StringRef First, StringRef &From, StringRef &To) {
  std::tie(From, To) = First.split('2');
  constexpr const char *Letters[] = {"d", "f", "i", "ui", "ll", "ull", "h", "bf16"};
  return is_contained(Letters, From) && is_contained(Letters, To);
}
} // namespace

bool lowerIntrinsic(Lowering &L, CallInst &I) {
  StringRef Name = I.getCalledFunction()->getName();
  Name.consume_front("llvm.nvvm.");
  Call C{L, I, IRBuilder<>(&I), {}};
  Name.split(C.Parts, '.');
  if (isa<FPMathOperator>(I))
    C.B.setFastMathFlags(I.getFastMathFlags());
  if (lowerMatrixIntrinsic(L, I, C.Parts))
    return true;
  StringRef From, To;
  Value *Result = nullptr;
  if (Handler Lower = find(Name))
    Result = Lower(C);
  else if (isConversion(C.Parts[0], From, To))
    Result = convert(C, From, To);
  if (!Result)
    return lowerIntrinsicByText(L, I, C.Parts);
  if (!I.getType()->isVoidTy())
    I.replaceAllUsesWith(Result);
  I.eraseFromParent();
  return true;
}
} // namespace gpuprof::cpu
