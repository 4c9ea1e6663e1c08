// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/FusedProducts.h"

#include "common/Compat.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace gpuprof {
namespace {

/* ---- Inline PTX ---- */

constexpr StringLiteral IntegerOpcodes[] = {"add",  "sub", "mul", "mad",  "min",  "max", "abs", "neg", "and",
                                            "or",   "xor", "not", "shl",  "shr",  "shf", "bfe", "bfi", "brev",
                                            "popc", "clz", "mov", "prmt", "lop3", "cvt", "selp", "setp"};
// These read the carry, of an instruction before them with .cc.
constexpr StringLiteral CarryOpcodes[] = {"addc", "subc", "madc"};
// Each has one result: a sum and a product alone, the others whatever stands beside them.
constexpr StringLiteral FloatingOpcodes[] = {"add", "sub", "mul",  "min",  "max", "abs",
                                             "neg", "cvt", "selp", "setp", "set", "copysign"};
constexpr StringLiteral RoundedOpcodes[] = {"fma", "div", "rcp", "sqrt"};
// One instruction of the machine each with .ftz, and for half precision.
constexpr StringLiteral ApproximateOpcodes[] = {"rcp", "rsqrt", "ex2", "lg2"};
constexpr StringLiteral Roundings[] = {"rn", "rz", "rm", "rp"};

bool isFloatingType(StringRef Piece) { return Piece.starts_with("f") || Piece.starts_with("bf"); }
bool isFloating(const ptx::Instruction &I) {
  return any_of(drop_begin(I.Opcode), [](const std::string &Piece) { return isFloatingType(Piece) && Piece != "ftz"; });
}
bool isRounded(const ptx::Instruction &I) {
  return any_of(Roundings, [&](StringRef Rounding) { return I.has(Rounding); });
}

bool isProduct(const ptx::Instruction &I) { return I.Opcode[0] == "mul" && isFloating(I) && !isRounded(I); }
bool isSum(const ptx::Instruction &I) {
  return (I.Opcode[0] == "add" || I.Opcode[0] == "sub") && isFloating(I) && !isRounded(I);
}

template <typename Predicate> bool hasInstruction(const Instruction &I, Predicate Is) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  return Asm && any_of(ptx::parse(compat::asmText(*Asm)).Instructions, Is);
}

/* ---- The way of a product ---- */

enum class Role {
  Rounds,     // one instruction, whatever its operands come from
  Carries,    // an operand's value, or one that differs in its sign, its type or its place alone
  Multiplies, // a product may be its last instruction
  Adds,       // LLVM makes a sum of it
  Computes    // unknown: perhaps made of products and sums
};

// NVIDIA's have their rounding in their names; an approximation may end in a product. The generic intrinsics of
// integers have no products.
Role roleByName(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (Callee && Callee->getName().starts_with("llvm.nvvm."))
    return Callee->getName().contains(".approx") || Callee->getName().contains(".full") ? Role::Multiplies
                                                                                        : Role::Carries;
  const bool IsFloating = Call.getType()->isFPOrFPVectorTy() ||
                          any_of(Call.args(), [](const Use &U) { return U->getType()->isFPOrFPVectorTy(); });
  return IsFloating ? Role::Computes : Role::Carries;
}

Role roleOf(const CallBase &Call) {
  if (Call.isInlineAsm())
    return hasInstruction(Call, [](const ptx::Instruction &P) {
             return !is_contained(RoundedOpcodes, P.Opcode[0]) && !is_contained(ApproximateOpcodes, P.Opcode[0]);
           })
               ? Role::Carries
               : Role::Rounds;
  switch (Call.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::sqrt:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
  case Intrinsic::is_fpclass:
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
    return Role::Rounds;
  case Intrinsic::round:
  case Intrinsic::lround:
  case Intrinsic::llround:
    return Role::Adds;
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
    return Role::Carries;
  default:
    return roleByName(Call);
  }
}

bool hasRole(const Instruction &I, Role Wanted) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && roleOf(*Call) == Wanted;
}

bool isDouble(const Value &Factor) {
  const APFloat *Number = nullptr;
  return PatternMatch::match(&Factor, PatternMatch::m_APFloat(Number)) && abs(*Number).isExactlyValue(2.0);
}

// A division of less precision is a product with a reciprocal.
bool isProduct(const Instruction &I) {
  return I.getOpcode() == Instruction::FMul ||
         (I.getOpcode() == Instruction::FDiv && I.hasMetadata(LLVMContext::MD_fpmath)) || hasRole(I, Role::Multiplies) ||
         hasRole(I, Role::Computes) ||
         hasInstruction(I, [](const ptx::Instruction &P) { return isProduct(P); });
}

// The remainder of a division is a difference. LLVM rounds half away from zero by adding a half, and may double a
// number by adding it to itself.
bool isSum(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FRem:
    return true;
  case Instruction::FMul:
    return any_of(I.operands(), [](const Use &U) { return isDouble(*U); });
  default:
    return hasRole(I, Role::Adds) || hasRole(I, Role::Computes) ||
           hasInstruction(I, [](const ptx::Instruction &P) { return isSum(P); });
  }
}

bool mayCarry(const Instruction &I) {
  if (isa<PHINode>(I) || isa<SelectInst>(I) || isa<FreezeInst>(I) || isa<CastInst>(I) || isa<ExtractElementInst>(I) ||
      isa<InsertElementInst>(I) || isa<ShuffleVectorInst>(I) || isa<ExtractValueInst>(I) || isa<InsertValueInst>(I))
    return true;
  if (I.getOpcode() == Instruction::FNeg || I.isBitwiseLogicOp())
    return true;
  return hasRole(I, Role::Carries);
}

// Without infinities LLVM multiplies a sum with one out, into a fused product and sum.
bool mayBeDistributed(const Instruction &I) {
  return I.getOpcode() == Instruction::FMul && I.hasNoInfs() && any_of(I.operands(), [](const Use &U) {
           const auto *Factor = dyn_cast<Instruction>(U);
           return Factor && isSum(*Factor);
         });
}

bool mayReadVariable(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return any_of(Objects, [](const Value *Object) { return isa<AllocaInst>(Object); });
}

} // namespace

bool isPureInstruction(const ptx::Program &Program, size_t Index) {
  const ptx::Instruction &I = Program.Instructions[Index];
  if (!isFloating(I)) {
    const bool HasCarry = any_of(ArrayRef(Program.Instructions).take_front(Index),
                                 [](const ptx::Instruction &Before) { return Before.has("cc"); });
    return is_contained(IntegerOpcodes, I.Opcode[0]) || (HasCarry && is_contained(CarryOpcodes, I.Opcode[0]));
  }
  if (I.Opcode[0] == "mov" || is_contained(FloatingOpcodes, I.Opcode[0]))
    return true;
  if (is_contained(RoundedOpcodes, I.Opcode[0]) && isRounded(I))
    return true;
  return is_contained(ApproximateOpcodes, I.Opcode[0]) && I.has("approx") &&
         (I.has("ftz") || I.has("f16") || I.has("f16x2"));
}

bool mayBeContracted(Function &F, function_ref<bool(const Instruction &)> Concerns) {
  SmallVector<Instruction *, 16> Products;
  SmallPtrSet<const Instruction *, 32> Seen;
  const auto Add = [&](Instruction &I) {
    if (Seen.insert(&I).second)
      Products.push_back(&I);
  };
  for (Instruction &I : instructions(F))
    if (Concerns(I) && isProduct(I)) {
      const bool IsBoth = isa<CallBase>(I) && isSum(I);
      if (IsBoth || mayBeDistributed(I))
        return true;
      Add(I);
    }
  while (!Products.empty()) {
    Instruction &Product = *Products.pop_back_val();
    for (User *U : Product.users()) {
      auto &By = *cast<Instruction>(U);
      if (!Concerns(By))
        continue;
      if (isSum(By))
        return true;
      if (mayCarry(By))
        Add(By);
      else if (isa<StoreInst>(By)) // into the thread's own memory, the only stores of a clone
        for (Instruction &I : instructions(F))
          if (isa<LoadInst>(I) && mayReadVariable(I.getOperand(0)))
            Add(I);
    }
  }
  return false;
}

} // namespace gpuprof
