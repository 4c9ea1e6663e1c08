// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "costs/Costs.h"

#include "costs/Contractions.h"
#include "costs/CostParts.h"
#include "costs/IntrinsicCosts.h"
#include "costs/MatrixCosts.h"
#include "costs/PtxCosts.h"
#include "costs/WarpUniformity.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <array>

using namespace llvm;

namespace gpuprof {
namespace {

constexpr const char *ClassNames[] = {
#define GPUPROF_COST(Identifier, Group, Key, Flops) #Identifier,
#include "gpuprof/cost_classes.inc"
};

// By number, since each instruction asks.
const CostRow *rowOf(const Instruction &I) {
  constexpr unsigned Number = Instruction::OtherOpsEnd;
  static const std::array<const CostRow *, Number> Rows = [] {
    std::array<const CostRow *, Number> Known{};
    for (unsigned Opcode = 1; Opcode < Number; ++Opcode)
      Known[Opcode] = findCost(CostTable::Opcode, Instruction::getOpcodeName(Opcode));
    return Known;
  }();
  return Rows[I.getOpcode()];
}

uint64_t bytesOf(const Instruction &I, Type *T) { return I.getModule()->getDataLayout().getTypeStoreSize(T); }

/* ---- Arithmetic ---- */

bool isPredicate(const Type &T) { return T.getScalarType()->isIntegerTy(1); }

void addArithmetic(InstructionCost &Cost, const Instruction &I, CostKind Kind, Selected How) {
  const Type &T = *I.getType();
  if (Kind == CostKind::Integer && isPredicate(T))
    return;
  switch (How) {
  case Selected::Gone:
    return;
  case Selected::AsWritten:
    break;
  case Selected::Fma:
    Kind = CostKind::Fma;
    break;
  case Selected::ReciprocalProduct:
    addOperation(Cost, CostKind::Div, precisionOf(T), elementsOf(T), false);
    Kind = CostKind::Mul;
    break;
  case Selected::Product:
    Kind = CostKind::Mul;
    break;
  case Selected::Reciprocal:
    Kind = CostKind::Div;
    break;
  case Selected::ReciprocalRoot:
    Kind = CostKind::Special;
    break;
  }
  addOperation(Cost, Kind, precisionOf(T), elementsOf(T), false);
}

/* ---- Memory and calls ---- */

void addAtomic(InstructionCost &Cost, const Instruction &I) {
  const Value *Pointer, *Operand;
  bool Adds = false;
  if (const auto *Update = dyn_cast<AtomicRMWInst>(&I)) {
    Pointer = Update->getPointerOperand();
    Operand = Update->getValOperand();
    Adds = Update->getOperation() == AtomicRMWInst::FAdd || Update->getOperation() == AtomicRMWInst::FSub;
  } else {
    const auto *Exchange = cast<AtomicCmpXchgInst>(&I);
    Pointer = Exchange->getPointerOperand();
    Operand = Exchange->getNewValOperand();
  }
  const Type &T = *Operand->getType();
  addAccess(Cost, spaceOf(*Pointer), Access::Atomic, bytesOf(I, Operand->getType()));
  addAtomicOperation(Cost, Adds, precisionOf(T), elementsOf(T));
}

void addCall(InstructionCost &Cost, const CallBase &Call, const WarpUniformity *U) {
  if (isa<InlineAsm>(Call.getCalledOperand())) {
    Cost = costOfPtx(Call);
    return;
  }
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return Cost.uncounted("indirect call", "which function it calls is not known at compile time");
  if (Callee->isIntrinsic())
    return addIntrinsic(Cost, Call, U);
  if (Callee->isDeclaration() && !findCost(CostTable::Call, Callee->getName()) &&
      !Callee->getName().starts_with("__gpuprof_"))
    Cost.uncounted(("call of " + Callee->getName()).str(), "its body is not in this translation unit");
}

CostClass floatingClass(CostKind Kind, Precision P) {
  static const CostClass Classes[][5] = {
#define ROW(P)                                                                                               \
  {CostClass::P##_add, CostClass::P##_mul, CostClass::P##_fma, CostClass::P##_div, CostClass::P##_sqrt}
      ROW(fp16),
      ROW(bf16),
      ROW(fp32),
      ROW(fp64),
#undef ROW
  };
  const CostKind Row = Kind == CostKind::Reciprocal ? CostKind::Div : Kind;
  return Classes[static_cast<unsigned>(P) - static_cast<unsigned>(Precision::Fp16)]
                [static_cast<unsigned>(Row)];
}

} // namespace

StringRef costClassName(CostClass Class) { return ClassNames[static_cast<unsigned>(Class)]; }

CostClass costClassOf(StringRef Name) {
  const auto *Known = find(ClassNames, Name);
  assert(Known != std::end(ClassNames) && "no cost class has the name");
  return static_cast<CostClass>(Known - std::begin(ClassNames));
}

const TypeName *findTypeName(StringRef Name) {
  static const TypeName Names[] = {
      {"f", Precision::Fp32, 1, 32},        {"f32", Precision::Fp32, 1, 32},
      {"f32x2", Precision::Fp32, 2, 32},    {"d", Precision::Fp64, 1, 64},
      {"f64", Precision::Fp64, 1, 64},      {"f16", Precision::Fp16, 1, 16},
      {"f16x2", Precision::Fp16, 2, 16},    {"bf16", Precision::Bf16, 1, 16},
      {"bf16x2", Precision::Bf16, 2, 16},   {"s8", Precision::Integer, 1, 8},
      {"s16", Precision::Integer, 1, 16},   {"s32", Precision::Integer, 1, 32},
      {"s64", Precision::Integer, 1, 64},   {"u8", Precision::Integer, 1, 8},
      {"u16", Precision::Integer, 1, 16},   {"u32", Precision::Integer, 1, 32},
      {"u64", Precision::Integer, 1, 64},   {"b8", Precision::Integer, 1, 8},
      {"b16", Precision::Integer, 1, 16},   {"b32", Precision::Integer, 1, 32},
      {"b64", Precision::Integer, 1, 64},   {"b128", Precision::Integer, 1, 128},
      {"u16x2", Precision::Integer, 2, 16}, {"s16x2", Precision::Integer, 2, 16},
      {"e4m3x2", Precision::Integer, 2, 8}, {"e5m2x2", Precision::Integer, 2, 8},
      {"e2m3x2", Precision::Integer, 2, 8}, {"e3m2x2", Precision::Integer, 2, 8},
      {"e2m1x2", Precision::Integer, 2, 4}, {"ue8m0x2", Precision::Integer, 2, 8},
      {"s2f6x2", Precision::Integer, 2, 8}, {"e4m3x4", Precision::Integer, 4, 8},
      {"e5m2x4", Precision::Integer, 4, 8}, {"e2m3x4", Precision::Integer, 4, 8},
      {"e3m2x4", Precision::Integer, 4, 8}, {"e2m1x4", Precision::Integer, 4, 4},
      {"tf32", Precision::Integer, 1, 32},
  };
  for (const TypeName &T : Names)
    if (Name == T.Name)
      return &T;
  return nullptr;
}

Precision precisionOf(const Type &T) {
  const Type *Scalar = T.getScalarType();
  if (Scalar->isDoubleTy())
    return Precision::Fp64;
  if (Scalar->isFloatTy())
    return Precision::Fp32;
  if (Scalar->isHalfTy())
    return Precision::Fp16;
  if (Scalar->isBFloatTy())
    return Precision::Bf16;
  return Precision::Integer;
}

unsigned elementsOf(const Type &T) {
  const auto *Vector = dyn_cast<FixedVectorType>(&T);
  return Vector ? Vector->getNumElements() : 1;
}

void addOperation(InstructionCost &Cost, CostKind Kind, Precision P, uint64_t Elements, bool Approximate) {
  if (Kind == CostKind::Reciprocal && Approximate)
    Kind = CostKind::Special;
  switch (Kind) {
  case CostKind::Special:
    return Cost.add(CostClass::special, Elements);
  case CostKind::Integer:
    return Cost.add(CostClass::integer, Elements);
  case CostKind::Compare:
    return Cost.add(CostClass::compare, Elements);
  case CostKind::Convert:
    return Cost.add(CostClass::convert, Elements);
  default:
    if (P == Precision::Integer)
      Cost.add(CostClass::integer, Kind == CostKind::Fma ? 2 * Elements : Elements);
    else
      Cost.add(floatingClass(Kind, P), Elements);
  }
}

void addAtomicOperation(InstructionCost &Cost, bool Adds, Precision P, uint64_t Elements) {
  static constexpr CostClass Accumulates[] = {CostClass::fp16_accumulate, CostClass::bf16_accumulate,
                                              CostClass::fp32_accumulate, CostClass::fp64_accumulate};
  if (!Adds || P == Precision::Integer)
    return Cost.add(CostClass::atomic_op, Elements);
  Cost.add(Accumulates[static_cast<unsigned>(P) - static_cast<unsigned>(Precision::Fp16)], Elements);
}

CostClass accessClass(Space S, Access A) {
  static const CostClass Classes[][3] = {
      {CostClass::global_load, CostClass::global_store, CostClass::global_atomic},
      {CostClass::shared_load, CostClass::shared_store, CostClass::shared_atomic},
      {CostClass::local_load, CostClass::local_store, CostClass::local_atomic},
      {CostClass::constant_load, CostClass::global_store, CostClass::global_atomic},
      {CostClass::global_load, CostClass::global_store, CostClass::global_atomic},
  };
  return Classes[static_cast<unsigned>(S)][static_cast<unsigned>(A)];
}

void addAccess(InstructionCost &Cost, Space S, Access A, uint64_t Bytes) {
  Cost.add(accessClass(S, A), Bytes);
  if (S == Space::Unknown)
    Cost.uncounted("generic pointer of unknown space", "its bytes are counted as global");
}

void addLaneAccess(InstructionCost &Cost, const Use &Pointer, Access A, uint64_t Bytes, const WarpUniformity *U) {
  const Space S = spaceOf(*Pointer);
  addAccess(Cost, S, A, Bytes);
  if ((S != Space::Global && S != Space::Shared) || !U || A == Access::Atomic || !U->isUniform(Pointer))
    return;
  Cost.add(S == Space::Global ? CostClass::global_uniform : CostClass::shared_uniform, Bytes);
}

InstructionCost costOf(const Instruction &I, const WarpUniformity *U, const Contractions *C) {
  InstructionCost Cost;
  const Selected How = C ? C->of(I) : Selected::AsWritten;
  const CostRow *Row = rowOf(I);
  if (!Row) {
    Cost.uncounted(std::string("instruction ") + I.getOpcodeName(), "not in the table of instructions");
    return Cost;
  }
  switch (Row->Kind) {
  case CostKind::Free:
    break;
  case CostKind::Uncounted:
    Cost.uncounted(std::string("instruction ") + I.getOpcodeName(), Row->Why);
    break;
  case CostKind::Load:
    addLaneAccess(Cost, I.getOperandUse(LoadInst::getPointerOperandIndex()), Access::Load,
                  bytesOf(I, I.getType()), U);
    break;
  case CostKind::Store:
    addLaneAccess(Cost, I.getOperandUse(StoreInst::getPointerOperandIndex()), Access::Store,
                  bytesOf(I, cast<StoreInst>(I).getValueOperand()->getType()), U);
    break;
  case CostKind::Atomic:
    addAtomic(Cost, I);
    break;
  case CostKind::Call:
    if (How != Selected::Gone)
      addCall(Cost, cast<CallBase>(I), U);
    break;
  default:
    addArithmetic(Cost, I, Row->Kind, How);
  }
  return Cost;
}

} // namespace gpuprof
