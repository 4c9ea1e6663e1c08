// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "costs/IntegerFloor.h"

#include "costs/WarpUniformity.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprof {
namespace {

/* ---- Which values can ptxas compute without executing their operations? ---- */

enum class Origin {
  Counter, ///< constants and loop counters alone: a constant once the loop is unrolled
  Affine,  ///< sums and multiples of what else is there: may become steps of a loop counter
  Data
};

constexpr unsigned Depth = 8; // of operands; chains as long as this are not of loop counters alone
constexpr unsigned WidestPhi = 16; // with more values it is no loop counter; bounds the search, which is a tree

bool isLinear(unsigned Opcode) {
  switch (Opcode) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::Select:
    return true;
  default:
    return false;
  }
}

bool isLogic(unsigned Opcode) {
  return Opcode == Instruction::And || Opcode == Instruction::Or || Opcode == Instruction::Xor;
}

bool isRightShift(unsigned Opcode) { return Opcode == Instruction::LShr || Opcode == Instruction::AShr; }

bool isOfBits(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return false;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::ctpop:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
    return true;
  default:
    return false;
  }
}

Origin originOf(const Value &V, unsigned Left);

Origin originOfOperands(const User &I, unsigned Left) {
  Origin All = Origin::Counter;
  for (const Use &Operand : I.operands())
    if (!isa<Function>(Operand) && All != Origin::Data)
      All = std::max(All, originOf(*Operand, Left));
  return All;
}

// The value of a sum that adds to the phi; null for others.
const Value *stepOf(const Value &Next, const PHINode &Phi) {
  const auto *Sum = dyn_cast<BinaryOperator>(&Next);
  if (!Sum || (Sum->getOpcode() != Instruction::Add && Sum->getOpcode() != Instruction::Sub))
    return nullptr;
  return Sum->getOperand(0) == &Phi   ? Sum->getOperand(1)
         : Sum->getOperand(1) == &Phi ? Sum->getOperand(0)
                                      : nullptr;
}

// A loop counter's next value is itself and a step.
Origin originOf(const PHINode &Phi, unsigned Left) {
  if (Phi.getNumIncomingValues() > WidestPhi)
    return Origin::Affine;
  Origin All = Origin::Counter;
  for (const Use &Incoming : Phi.incoming_values()) {
    const Value *Step = stepOf(*Incoming, Phi);
    if (All != Origin::Data)
      All = std::max(All, originOf(Step ? *Step : *Incoming, Left));
  }
  return All;
}

Origin originOf(const Value &V, unsigned Left) {
  if (isa<Constant>(V))
    return Origin::Counter;
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || !Left)
    return Origin::Affine;
  if (const auto *Phi = dyn_cast<PHINode>(I))
    return originOf(*Phi, Left - 1);
  if (isLinear(I->getOpcode()))
    return originOfOperands(*I, Left - 1);
  if (isLogic(I->getOpcode()) || isRightShift(I->getOpcode()) || isOfBits(*I))
    return originOfOperands(*I, Left - 1) == Origin::Counter ? Origin::Counter : Origin::Data;
  return isa<CallInst>(I) ? Origin::Affine : Origin::Data; // special registers are calls
}

bool isOf(const Instruction &I, Origin What) { return originOf(I, Depth) == What; }

/* ---- Which users need the value in a register? ---- */

bool isStored(const Use &U) {
  const auto *Store = dyn_cast<StoreInst>(U.getUser());
  return Store && Store->getValueOperand() == U.get();
}

unsigned opcodeOf(const Value &V) { return isa<Instruction>(V) ? cast<Instruction>(V).getOpcode() : 0; }

bool isSum(unsigned Opcode) { return Opcode == Instruction::Add || Opcode == Instruction::Sub; }

// At most two bits are set.
bool hasFewBits(const APInt &Number) {
  const APInt WithoutLowest = Number & (Number - 1);
  return WithoutLowest.isZero() || WithoutLowest.isPowerOf2();
}

// Products by these are additions of shifted operands.
bool isSimpleFactor(const Value &V) {
  const auto *Factor = dyn_cast<ConstantInt>(&V);
  if (!Factor)
    return false;
  const APInt &Number = Factor->getValue();
  return hasFewBits(Number) || hasFewBits(-Number) || hasFewBits(Number + 1) || hasFewBits(Number - 1);
}

bool isProduct(const Value &V) {
  const auto *Product = dyn_cast<BinaryOperator>(&V);
  return Product && Product->getOpcode() == Instruction::Mul && !isSimpleFactor(*Product->getOperand(1));
}

bool hasConstant(const User &I) {
  return any_of(I.operands(), [](const Use &Operand) { return isa<Constant>(Operand); });
}

bool hasSpecialConstant(const User &I) {
  return any_of(I.operands(), [](const Use &Operand) {
    const auto *C = dyn_cast<ConstantInt>(Operand);
    return C && (C->isMinusOne() || C->isMinValue(/*IsSigned=*/true));
  });
}

// Of two shifts in one operation ptxas makes a rotation.
bool hasOtherShift(const User &I, const Value &But) {
  return any_of(I.operands(), [&](const Use &Operand) {
    const unsigned Opcode = opcodeOf(*Operand);
    return Operand != &But && (isRightShift(Opcode) || Opcode == Instruction::Shl);
  });
}

bool keepsAny(const Use &U) {
  const auto *User = cast<Instruction>(U.getUser());
  return isStored(U) || isOfBits(*User) || isa<AtomicRMWInst>(User);
}

// LOP3 takes logic of its operands; sums, products and shifts do not.
bool keepsLogic(const Use &U, const Instruction &I) {
  const auto &User = *cast<Instruction>(U.getUser());
  if (hasSpecialConstant(I))
    return false;
  return keepsAny(U) || isProduct(User) || (isSum(User.getOpcode()) && I.getOpcode() != Instruction::Or) ||
         (isRightShift(User.getOpcode()) && U.getOperandNo() == 0 && !hasConstant(I));
}

// PRMT and LEA.HI take shifts as operands of masks and sums.
bool keepsShift(const Use &U, const Instruction &I) {
  const auto &User = *cast<Instruction>(U.getUser());
  return keepsAny(U) || isProduct(User) || (User.getOpcode() == Instruction::Xor && !hasOtherShift(User, I));
}

// IADD3 takes sums of its operands, IMAD and LEA constants of sums.
bool keepsSum(const Use &U, const Instruction &I) {
  const auto &User = *cast<Instruction>(U.getUser());
  if (any_of(I.operands(), [](const Use &Operand) { return opcodeOf(*Operand) == Instruction::Mul; }))
    return false;
  return keepsAny(U) || (isLogic(User.getOpcode()) && !hasSpecialConstant(User)) ||
         (isProduct(User) && !hasConstant(I));
}

/* ---- One instruction ---- */

template <class Keeps> bool isKept(const Instruction &I, const WarpUniformity &U, Keeps DoesKeep) {
  return any_of(I.uses(), [&](const Use &Place) {
    const auto *User = dyn_cast<Instruction>(Place.getUser());
    return User && User->getParent() == I.getParent() && DoesKeep(Place, I) && !U.isUniform(Place);
  });
}

// Halves known to be 0 need no instruction of their own.
unsigned populationCounts(const Value &Operand) {
  const bool IsMasked = isa<Instruction>(Operand) && opcodeOf(Operand) != Instruction::Load;
  return Operand.getType()->isIntegerTy(64) && !IsMasked ? 2 : 1;
}

void addCount(InstructionCost &Cost, const IntrinsicInst &Count, const WarpUniformity &U) {
  const Value &Operand = *Count.getArgOperand(0);
  const bool IsWord = Operand.getType()->isIntegerTy(32) || Operand.getType()->isIntegerTy(64);
  if (IsWord && !U.isUniform(Count.getArgOperandUse(0)) && originOf(Operand, Depth) != Origin::Counter)
    Cost.add(CostClass::least_popc, populationCounts(Operand));
}

void addBinary(InstructionCost &Cost, const BinaryOperator &I, const WarpUniformity &U) {
  const unsigned Opcode = I.getOpcode();
  if (!I.getType()->isIntegerTy(32) || !isOf(I, Origin::Data))
    return;
  if (isProduct(I) && isKept(I, U, [](const Use &, const Instruction &) { return true; }))
    Cost.add(CostClass::least_multiply, 1);
  else if ((isLogic(Opcode) && isKept(I, U, keepsLogic)) ||
           (isRightShift(Opcode) && isKept(I, U, keepsShift)))
    Cost.add(CostClass::least_logic, 1);
  else if (isSum(Opcode) && isKept(I, U, keepsSum))
    Cost.add(CostClass::least_add, 1);
}

} // namespace

InstructionCost integerFloorOf(const Instruction &I, const WarpUniformity &U) {
  InstructionCost Cost;
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I)) {
    if (Intrinsic->getIntrinsicID() == Intrinsic::ctpop)
      addCount(Cost, *Intrinsic, U);
  } else if (const auto *Binary = dyn_cast<BinaryOperator>(&I)) {
    addBinary(Cost, *Binary, U);
  }
  return Cost;
}

} // namespace gpuprof
