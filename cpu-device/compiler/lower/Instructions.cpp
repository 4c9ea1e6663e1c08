// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Visits every instruction once: calls and operations with another meaning on the CPU.
#include "lower/Instructions.h"
#include "common/Compat.h"
#include "inline-ptx/AsmLowering.h"
#include "lower/Intrinsics.h"
#include "lower/LibraryNames.h"
#include "module/Lowering.h"
#include "module/NumericHelpers.h"
#include "module/SourceLocations.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
struct LibraryCall {
  const char *Device, *Entry;
  unsigned Arguments; // number of the call's arguments taken by the entry
};
constexpr LibraryCall LibraryCalls[] = {
    {"vprintf", "__gpuprof_cpu_vprintf", 2},
    {"malloc", "__gpuprof_cpu_malloc", 1},
    {"free", "__gpuprof_cpu_free", 1},
    {"__assertfail", "__gpuprof_cpu_assert_fail", 4},
    {"cudaGraphSetConditional", "__gpuprof_cpu_graph_condition", 2},
};

void replace(CallInst &I, Value *With) {
  if (!I.getType()->isVoidTy()) {
    if (With->getType() != I.getType() && With->getType()->isIntegerTy() && I.getType()->isIntegerTy())
      With = IRBuilder<>(&I).CreateZExtOrTrunc(With, I.getType());
    I.replaceAllUsesWith(With);
  }
  I.eraseFromParent();
}

void stop(Lowering &L, CallInst &I, const Twine &What) {
  L.unsupported(I, What);
  replace(I, I.getType()->isVoidTy() ? nullptr : Constant::getNullValue(I.getType()));
}

bool lowerLibraryCall(Lowering &L, CallInst &I, StringRef Name) {
  IRBuilder<> B(&I);
  for (const LibraryCall &Row : LibraryCalls) {
    if (Name != Row.Device)
      continue;
    SmallVector<Value *> Arguments;
    for (unsigned N = 0; N != Row.Arguments && N != I.arg_size(); ++N)
      Arguments.push_back(I.getArgOperand(N));
    replace(I, B.CreateCall(L.entry(Row.Entry), Arguments));
    return true;
  }
  if (Name == "__gpuprof_counter_slot") {
    replace(I, L.load(B, Field::slot));
    return true;
  }
  if (Name == "__nvvm_reflect") { // the device library's query: no flush to zero, exact division and roots
    replace(I, B.getInt32(0));
    return true;
  }
  if ((Name == "__nv_powi" || Name == "__nv_powif") && I.arg_size() == 2) {
    Value *Operands[] = {I.getArgOperand(0), I.getArgOperand(1)};
    replace(I, B.CreateIntrinsic(Intrinsic::powi, {I.getType(), B.getInt32Ty()}, Operands));
    return true;
  }
  if (StringRef Libm = Name; Libm.consume_front("__nv_") && isLibm(Libm)) {
    FunctionCallee Callee = L.M.getOrInsertFunction(Libm, I.getFunctionType());
    I.setCalledFunction(Callee);
    return true;
  }
  return false;
}

// LLVM's own intrinsics without good code on x86.
bool lowerCommonIntrinsic(Lowering &L, CallInst &I) {
  IRBuilder<> B(&I);
  switch (I.getIntrinsicID()) {
  case Intrinsic::trap:
  case Intrinsic::ubsantrap:
    replace(I, stopLaunch(L, B, TrapInstruction, I.getDebugLoc()));
    return true;
  case Intrinsic::debugtrap:
    replace(I, stopLaunch(L, B, Breakpoint, I.getDebugLoc()));
    return true;
  case Intrinsic::readcyclecounter:
    replace(I, B.CreateCall(L.entry("__gpuprof_cpu_clock")));
    return true;
  default:
    return false;
  }
}

void lowerCall(Lowering &L, CallInst &I) {
  if (I.isInlineAsm()) {
    if (!lowerAsm(L, I))
      stop(L, I, "inline asm \"" + compat::asmText(*cast<InlineAsm>(I.getCalledOperand())) + "\"");
    return;
  }
  Function *Callee = I.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || lowerCommonIntrinsic(L, I))
    return;
  StringRef Name = Callee->getName();
  if (Name.starts_with("llvm.nvvm.")) {
    if (!lowerIntrinsic(L, I))
      stop(L, I, "intrinsic " + Name);
    return;
  }
  if (!Callee->isIntrinsic() && !Name.starts_with("__gpuprof_cpu_") && !lowerLibraryCall(L, I, Name) &&
      !(isLibm(Name) && Callee->getReturnType()->isFloatingPointTy()) &&
      !(isForOtherUnits(*I.getFunction()) &&
        I.getFunction()->isInterposable())) // used only if no other unit has it
    stop(L, I, missing(*Callee));
}

Type *withScalar(Type *Like, Type *Scalar) {
  auto *Vector = dyn_cast<FixedVectorType>(Like);
  return Vector ? static_cast<Type *>(FixedVectorType::get(Scalar, Vector->getNumElements())) : Scalar;
}

// The same function of one or more numbers, computed in fp32 and rounded once.
constexpr Intrinsic::ID WidenedIntrinsics[] = {
    Intrinsic::fma,     Intrinsic::fmuladd, Intrinsic::minnum,   Intrinsic::maxnum, Intrinsic::minimum,
    Intrinsic::maximum, Intrinsic::fabs,    Intrinsic::copysign, Intrinsic::sqrt,   Intrinsic::exp2,
    Intrinsic::log2,    Intrinsic::exp,     Intrinsic::log,      Intrinsic::sin,    Intrinsic::cos,
    Intrinsic::floor,   Intrinsic::ceil,    Intrinsic::trunc,    Intrinsic::rint,   Intrinsic::nearbyint,
};

// For each rounding to bfloat, x86 without AVX512-BF16 calls a library function missing in old compilers'
// libraries.
bool lowerBFloat(Instruction &I) {
  if (!I.getType()->getScalarType()->isBFloatTy())
    return false;
  IRBuilder<> B(&I);
  Type *Wide = withScalar(I.getType(), B.getFloatTy());
  Value *Result = nullptr;
  if (isa<FPTruncInst>(I))
    Result = truncateToBFloat(B, I.getOperand(0), I.getType());
  else if (isa<SIToFPInst>(I) || isa<UIToFPInst>(I))
    Result =
        truncateToBFloat(B, B.CreateCast(cast<CastInst>(I).getOpcode(), I.getOperand(0), Wide), I.getType());
  else if (auto *Op = dyn_cast<BinaryOperator>(&I))
    Result = truncateToBFloat(B,
                              B.CreateBinOp(Op->getOpcode(), B.CreateFPExt(Op->getOperand(0), Wide),
                                            B.CreateFPExt(Op->getOperand(1), Wide)),
                              I.getType());
  else if (auto *Negation = dyn_cast<UnaryOperator>(&I))
    Result = truncateToBFloat(B, B.CreateFNeg(B.CreateFPExt(Negation->getOperand(0), Wide)), I.getType());
  else if (auto *Call = dyn_cast<IntrinsicInst>(&I)) {
    if (!is_contained(WidenedIntrinsics, Call->getIntrinsicID()))
      return false;
    SmallVector<Value *> Operands;
    for (Value *Operand : Call->args())
      Operands.push_back(B.CreateFPExt(Operand, Wide));
    const Intrinsic::ID Same = Call->getIntrinsicID();
    Result = truncateToBFloat(
        B, B.CreateIntrinsic(Same == Intrinsic::fmuladd ? Intrinsic::fma : Same, {Wide}, Operands),
        I.getType());
  }
  if (!Result)
    return false;
  I.replaceAllUsesWith(Result);
  I.eraseFromParent();
  return true;
}

void lowerToInteger(CastInst &I) {
  IRBuilder<> B(&I);
  I.replaceAllUsesWith(toInteger(B, I.getOperand(0), I.getType(), isa<FPToSIInst>(I), "rz"));
  I.eraseFromParent();
}
bool isDivision(const Instruction &I) {
  return I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::UDiv ||
         I.getOpcode() == Instruction::SRem || I.getOpcode() == Instruction::URem;
}

// A processor traps where a GPU returns a number.
void lowerDivision(Lowering &L, Instruction &I) {
  const bool Signed = I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::SRem;
  const bool Remainder = I.getOpcode() == Instruction::SRem || I.getOpcode() == Instruction::URem;
  const KnownBits By = computeKnownBits(I.getOperand(1), L.M.getDataLayout());
  if (By.isNonZero() && (!Signed || !By.Zero.isZero())) // some bit is set, and if signed some bit is clear
    return;
  IRBuilder<> B(&I);
  I.replaceAllUsesWith(divide(B, Remainder, Signed, I.getOperand(0), I.getOperand(1)));
  I.eraseFromParent();
}
} // namespace

void lowerInstructions(Lowering &L) {
  for (Function &F : L.M) {
    SmallVector<Instruction *> Before;
    for (Instruction &I : instructions(F))
      Before.push_back(&I);
    for (Instruction *I : Before)
      if (auto *Call = dyn_cast<CallInst>(I))
        lowerCall(L, *Call);
      else if (isa<FPToSIInst>(I) || isa<FPToUIInst>(I))
        lowerToInteger(cast<CastInst>(*I));
      else if (isDivision(*I))
        lowerDivision(L, *I);
    for (Instruction &I : make_early_inc_range(instructions(F))) // including those made of calls just now
      lowerBFloat(I);
  }
}
} // namespace gpuprof::cpu
