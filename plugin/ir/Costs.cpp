#include "ir/Costs.h"

#include "common/Compat.h"
#include "gpuprof/abi.h"
#include "ir/Spaces.h"
#include "ir/Uniform.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprof {
namespace {

constexpr const char *ClassNames[] = {
#define GPUPROF_COST(Identifier, Group, Key, Flops) #Identifier,
#include "gpuprof/cost_classes.inc"
};

/* ---- Tables ------------------------------------------------------------------------------------------------- */

const CostKind *kindOfOpcode(unsigned Opcode) {
  static const DenseMap<unsigned, CostKind> Kinds = {
#define COST_OPCODE(Opcode, Kind) {Instruction::Opcode, CostKind::Kind},
#include "ir/InstructionCosts.def"
  };
  auto Found = Kinds.find(Opcode);
  return Found == Kinds.end() ? nullptr : &Found->second;
}

using KindTable = StringMap<CostKind>;

const CostKind *lookUp(const KindTable &Kinds, StringRef Name) {
  auto Found = Kinds.find(Name);
  return Found == Kinds.end() ? nullptr : &Found->second;
}

const KindTable &intrinsicKinds() {
  static const KindTable Kinds = {
#define COST_INTRINSIC(Name, Kind) {Name, CostKind::Kind},
#include "ir/InstructionCosts.def"
  };
  return Kinds;
}

const KindTable &nvvmKinds() {
  static const KindTable Kinds = {
#define COST_NVVM(Name, Kind) {Name, CostKind::Kind},
#include "ir/InstructionCosts.def"
  };
  return Kinds;
}

const KindTable &callKinds() {
  static const KindTable Kinds = {
#define COST_CALL(Name, Kind) {Name, CostKind::Kind},
#include "ir/InstructionCosts.def"
  };
  return Kinds;
}

/* ---- Types and spaces --------------------------------------------------------------------------------------- */

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

enum class Access { Load, Store, Atomic };

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

void addAccess(InstructionCost &Cost, const Value &Pointer, Access A, uint64_t Bytes) {
  const Space S = spaceOf(Pointer);
  Cost.add(accessClass(S, A), Bytes);
  if (S == Space::Unknown)
    Cost.uncounted("generic pointer of unknown space", "its bytes are counted as global");
}

// An access by an instruction of which each lane moves all of `Bytes`.
void addLaneAccess(InstructionCost &Cost, const Use &Pointer, Access A, uint64_t Bytes, const Uniformity *U) {
  addAccess(Cost, *Pointer, A, Bytes);
  if (!U || A == Access::Atomic || !U->isUniform(Pointer))
    return;
  const Space S = spaceOf(*Pointer);
  if (S == Space::Global)
    Cost.add(CostClass::global_uniform, Bytes);
  else if (S == Space::Shared)
    Cost.add(CostClass::shared_uniform, Bytes);
}

uint64_t bytesOf(const Instruction &I, Type *T) { return I.getModule()->getDataLayout().getTypeStoreSize(T); }

/* ---- Arithmetic --------------------------------------------------------------------------------------------- */

// The product that becomes one fma with this sum, as NVPTX's instruction selection will fuse them: both may
// contract, in one block, and nothing else wants the product.
const BinaryOperator *fusedProduct(const Instruction &Sum) {
  const unsigned Opcode = Sum.getOpcode();
  if ((Opcode != Instruction::FAdd && Opcode != Instruction::FSub) || !Sum.hasAllowContract())
    return nullptr;
  for (const Value *Operand : Sum.operand_values()) {
    const auto *Product = dyn_cast<BinaryOperator>(Operand);
    if (Product && Product->getOpcode() == Instruction::FMul && Product->hasAllowContract() && Product->hasOneUse() &&
        Product->getParent() == Sum.getParent())
      return Product;
  }
  return nullptr;
}

bool isFused(const Instruction &Product) {
  if (Product.getOpcode() != Instruction::FMul || !Product.hasOneUse())
    return false;
  const auto *Sum = dyn_cast<Instruction>(*Product.user_begin());
  return Sum && fusedProduct(*Sum) == &Product;
}

bool isPredicate(const Type &T) { return T.getScalarType()->isIntegerTy(1); }

void addArithmetic(InstructionCost &Cost, const Instruction &I) {
  const CostKind *Kind = kindOfOpcode(I.getOpcode());
  if (!Kind || isFused(I))
    return;
  const Type &T = *I.getType();
  if (*Kind == CostKind::Integer && isPredicate(T))
    return;
  const unsigned Elements = elementsOf(T);
  addOperation(Cost, fusedProduct(I) ? CostKind::Fma : *Kind, precisionOf(T), Elements, false);
}

/* ---- Calls -------------------------------------------------------------------------------------------------- */

// Copies of known length; LLVM turns small ones into loads and stores later, with the same bytes.
void addCopy(InstructionCost &Cost, const MemIntrinsic &Copy, const Uniformity *U) {
  const auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
  if (!Length)
    return Cost.uncounted(("call of " + Copy.getCalledFunction()->getName()).str(),
                          "its length is not known at compile time");
  if (const auto *Transfer = dyn_cast<MemTransferInst>(&Copy))
    addLaneAccess(Cost, Transfer->getRawSourceUse(), Access::Load, Length->getZExtValue(), U);
  addLaneAccess(Cost, Copy.getRawDestUse(), Access::Store, Length->getZExtValue(), U);
}

// wmma.m16n16k16.load.a.row.stride.f16.p0 and .store.d: the warp moves the matrix once.
bool addMatrixAccess(InstructionCost &Cost, const CallBase &Call, ArrayRef<StringRef> Pieces) {
  const bool Store = is_contained(Pieces, "store");
  if ((!Store && !is_contained(Pieces, "load")) || Pieces.size() < 4)
    return false;
  unsigned M = 0, N = 0, K = 0;
  if (sscanf(Pieces[1].str().c_str(), "m%un%uk%u", &M, &N, &K) != 3)
    return false;
  const StringRef Matrix = Pieces[3];
  const unsigned Elements = Matrix == "a" ? M * K : Matrix == "b" ? K * N : M * N;
  static const StringMap<unsigned> Bits = {{"f64", 64}, {"f32", 32}, {"tf32", 32}, {"s32", 32}, {"f16", 16},
                                           {"bf16", 16}, {"s8", 8},  {"u8", 8},    {"s4", 4},   {"u4", 4},
                                           {"b1", 1}};
  for (StringRef Piece : Pieces.drop_front(4)) {
    auto Width = Bits.find(Piece);
    if (Width == Bits.end())
      continue;
    addAccess(Cost, *Call.getArgOperand(0), Store ? Access::Store : Access::Load, Elements * Width->second / 8 / 32);
    return true;
  }
  return false;
}

// ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3: eight rows of 16 bytes a matrix, by 32 threads.
bool addLoadMatrix(InstructionCost &Cost, const CallBase &Call, ArrayRef<StringRef> Pieces) {
  if (!is_contained(Pieces, "m8n8"))
    return false;
  const unsigned Matrices = is_contained(Pieces, "x4") ? 4 : is_contained(Pieces, "x2") ? 2 : 1;
  const bool Store = Pieces[0] == "stmatrix";
  addAccess(Cost, *Call.getArgOperand(0), Store ? Access::Store : Access::Load, 4 * Matrices);
  return true;
}

// cp.async.ca.shared.global.16: from global to shared memory, past the registers.
bool addAsyncCopy(InstructionCost &Cost, ArrayRef<StringRef> Pieces) {
  if (!is_contained(Pieces, "async"))
    return false;
  if (is_contained(Pieces, "commit") || is_contained(Pieces, "wait") || is_contained(Pieces, "mbarrier"))
    return true;
  unsigned Bytes = 0;
  if (is_contained(Pieces, "bulk") || Pieces.size() < 6 || Pieces[5].getAsInteger(10, Bytes))
    return false;
  Cost.add(CostClass::global_load, Bytes);
  Cost.add(CostClass::shared_store, Bytes);
  if (is_contained(Pieces, "s")) // with a source size: the rest is filled with zeros
    Cost.uncounted("cp.async with a source size", "counted as if all bytes were copied");
  return true;
}

bool addNvvm(InstructionCost &Cost, const CallBase &Call, ArrayRef<StringRef> Pieces, const Uniformity *U) {
  const StringRef Op = Pieces[0];
  if (Op == "wmma" || Op == "mma")
    return addMatrixAccess(Cost, Call, Pieces) || addMatrixProduct(Cost, Pieces, 32);
  if (Op == "ldmatrix" || Op == "stmatrix")
    return addLoadMatrix(Cost, Call, Pieces);
  if (Op == "cp")
    return addAsyncCopy(Cost, Pieces);
  if (Op == "ldg" || Op == "ldu") {
    addLaneAccess(Cost, Call.getArgOperandUse(0), Access::Load, bytesOf(Call, Call.getType()), U);
    return true;
  }
  if (Op == "atomic") {
    addAccess(Cost, *Call.getArgOperand(0), Access::Atomic, bytesOf(Call, Call.getType()));
    return true;
  }
  // Bit halves of a double spelled as conversions.
  if (Op == "d2i" && Pieces.size() > 1 && (Pieces[1] == "hi" || Pieces[1] == "lo"))
    return true;
  const CostKind *Kind = lookUp(nvvmKinds(), Op);
  if (!Kind)
    return false;
  Precision P = precisionOf(*Call.getType());
  unsigned Elements = elementsOf(*Call.getType());
  // Types that IR has no type for travel as integers: the name knows.
  for (StringRef Piece : Pieces.drop_front())
    if (P == Precision::Integer && parseTypeName(Piece, P, Elements))
      break;
  addOperation(Cost, *Kind, P, Elements, is_contained(Pieces, "approx"));
  return true;
}

bool addIntrinsic(InstructionCost &Cost, const CallBase &Call, const Uniformity *U) {
  if (const auto *Copy = dyn_cast<MemIntrinsic>(&Call)) {
    addCopy(Cost, *Copy, U);
    return true;
  }
  SmallVector<StringRef, 12> Pieces;
  Call.getCalledFunction()->getName().split(Pieces, '.');
  ArrayRef<StringRef> Rest = ArrayRef<StringRef>(Pieces).drop_front();
  if (Rest[0] == "nvvm")
    return addNvvm(Cost, Call, Rest.drop_front(), U);
  const CostKind *Kind = lookUp(intrinsicKinds(), Rest[0]);
  if (!Kind)
    return false;
  const Type *T = Call.getType();
  if (const auto *Pair = dyn_cast<StructType>(T)) // value and overflow
    T = Pair->getElementType(0);
  addOperation(Cost, *Kind, precisionOf(*T), elementsOf(*T), false);
  return true;
}

void addCall(InstructionCost &Cost, const CallBase &Call, const Uniformity *U) {
  if (const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand())) {
    Cost = costOfPtx(compat::asmText(*Asm));
    return;
  }
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return Cost.uncounted("indirect call", "which function it calls is not known at compile time");
  if (Callee->isIntrinsic()) {
    if (!addIntrinsic(Cost, Call, U))
      Cost.uncounted(("call of " + Callee->getName()).str(), "not in the table of intrinsics");
  } else if (Callee->isDeclaration() && !lookUp(callKinds(), Callee->getName()) &&
             !Callee->getName().starts_with("__gpuprof_")) {
    Cost.uncounted(("call of " + Callee->getName()).str(), "its body is not in this translation unit");
  }
}

CostClass floatingClass(CostKind Kind, Precision P) {
  static const CostClass Classes[][5] = {
#define ROW(P) {CostClass::P##_add, CostClass::P##_mul, CostClass::P##_fma, CostClass::P##_div, CostClass::P##_sqrt}
      ROW(fp16), ROW(bf16), ROW(fp32), ROW(fp64),
#undef ROW
  };
  const CostKind Row = Kind == CostKind::Reciprocal ? CostKind::Div : Kind;
  return Classes[static_cast<unsigned>(P) - static_cast<unsigned>(Precision::Fp16)][static_cast<unsigned>(Row)];
}

} // namespace

StringRef costClassName(CostClass Class) { return ClassNames[static_cast<unsigned>(Class)]; }

bool parseTypeName(StringRef Name, Precision &P, unsigned &Elements) {
  struct Spelling {
    const char *Name;
    Precision P;
    unsigned Elements;
  };
  static const Spelling Spellings[] = {
      {"f", Precision::Fp32, 1},      {"f32", Precision::Fp32, 1},    {"f32x2", Precision::Fp32, 2},
      {"d", Precision::Fp64, 1},      {"f64", Precision::Fp64, 1},    {"f16", Precision::Fp16, 1},
      {"f16x2", Precision::Fp16, 2},  {"bf16", Precision::Bf16, 1},   {"bf16x2", Precision::Bf16, 2},
      {"s8", Precision::Integer, 1},  {"s16", Precision::Integer, 1}, {"s32", Precision::Integer, 1},
      {"s64", Precision::Integer, 1}, {"u8", Precision::Integer, 1},  {"u16", Precision::Integer, 1},
      {"u32", Precision::Integer, 1}, {"u64", Precision::Integer, 1}, {"b8", Precision::Integer, 1},
      {"b16", Precision::Integer, 1}, {"b32", Precision::Integer, 1}, {"b64", Precision::Integer, 1},
      {"u16x2", Precision::Integer, 2}, {"s16x2", Precision::Integer, 2},
  };
  for (const Spelling &S : Spellings)
    if (Name == S.Name) {
      P = S.P;
      Elements = S.Elements;
      return true;
    }
  return false;
}

void addOperation(InstructionCost &Cost, CostKind Kind, Precision P, uint64_t Elements, bool Approximate) {
  if (Kind == CostKind::Reciprocal && Approximate)
    Kind = CostKind::Special;
  switch (Kind) {
  case CostKind::Free:
    return;
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

bool addMatrixProduct(InstructionCost &Cost, ArrayRef<StringRef> Pieces, unsigned Threads) {
  struct Operand {
    const char *Name;
    CostClass Class;
  };
  // The first that occurs decides; fp16 products name only their accumulators in some spellings, hence the end.
  static const Operand Operands[] = {
      {"bf16", CostClass::tensor_bf16}, {"tf32", CostClass::tensor_tf32}, {"f64", CostClass::tensor_fp64},
      {"e4m3", CostClass::tensor_fp8},  {"e5m2", CostClass::tensor_fp8},  {"s8", CostClass::tensor_int8},
      {"u8", CostClass::tensor_int8},   {"f16", CostClass::tensor_fp16},  {"f32", CostClass::tensor_fp16},
  };
  if (is_contained(Pieces, "sp") || is_contained(Pieces, "block_scale"))
    return false;
  uint64_t M = 0, N = 0, K = 0;
  for (StringRef Piece : Pieces) {
    unsigned long long A, B, C;
    char End;
    if (sscanf(Piece.str().c_str(), "m%llun%lluk%llu%c", &A, &B, &C, &End) == 3)
      M = A, N = B, K = C;
  }
  for (const Operand &O : Operands)
    if (M && is_contained(Pieces, O.Name)) {
      Cost.add(O.Class, 2 * M * N * K / Threads);
      return true;
    }
  return false;
}

InstructionCost costOf(const Instruction &I, const Uniformity *U) {
  InstructionCost Cost;
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    addLaneAccess(Cost, Load->getOperandUse(LoadInst::getPointerOperandIndex()), Access::Load,
                  bytesOf(I, I.getType()), U);
  else if (const auto *Store = dyn_cast<StoreInst>(&I))
    addLaneAccess(Cost, Store->getOperandUse(StoreInst::getPointerOperandIndex()), Access::Store,
                  bytesOf(I, Store->getValueOperand()->getType()), U);
  else if (const auto *Update = dyn_cast<AtomicRMWInst>(&I))
    addAccess(Cost, *Update->getPointerOperand(), Access::Atomic, bytesOf(I, Update->getType()));
  else if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    addAccess(Cost, *Exchange->getPointerOperand(), Access::Atomic, bytesOf(I, Exchange->getNewValOperand()->getType()));
  else if (const auto *Call = dyn_cast<CallBase>(&I))
    addCall(Cost, *Call, U);
  else
    addArithmetic(Cost, I);
  return Cost;
}

PreservedAnalyses CostsPrinterPass::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    OS << "costs of " << F.getName() << ":\n";
    const Uniformity Lanes(F);
    for (BasicBlock &BB : F)
      for (Instruction &I : BB) {
        InstructionCost Cost = costOf(I, &Lanes);
        if (Cost.Amounts.empty() && Cost.Why.empty())
          continue;
        OS << " ";
        for (auto [Class, Amount] : Cost.Amounts)
          OS << " " << costClassName(Class) << "=" << Amount;
        if (!Cost.Why.empty())
          OS << " uncounted: " << Cost.What << " (" << Cost.Why << ")";
        OS << " :" << I << "\n";
      }
  }
  return PreservedAnalyses::all();
}

} // namespace gpuprof
