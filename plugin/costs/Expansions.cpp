// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "costs/Expansions.h"

#include "common/Compat.h"
#include "costs/PtxCosts.h"
#include "costs/Sinking.h"
#include "ptx/Ptx.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprof {
namespace {

enum class Expansion {
#define EXPANSION(Name, FAdd, FMul, FFma, DAdd, DMul, DFma, Half, More, SlowLess, SlowMore, SlowMore64, Code) Name,
#include "costs/Expansions.def"
};

constexpr CostClass Classes[] = {CostClass::expand_fp32_add, CostClass::expand_fp32_mul,
                                 CostClass::expand_fp32_fma, CostClass::expand_fp64_add,
                                 CostClass::expand_fp64_mul, CostClass::expand_fp64_fma,
                                 CostClass::expand_half,     CostClass::expand_fp32_more,
                                 CostClass::expand_fp32_slow_less, CostClass::expand_fp32_slow_more,
                                 CostClass::expand_fp64_slow_more};

void add(InstructionCost &Cost, Expansion E, uint64_t Times) {
  static constexpr uint8_t Instructions[][std::size(Classes)] = {
#define EXPANSION(Name, FAdd, FMul, FFma, DAdd, DMul, DFma, Half, More, SlowLess, SlowMore, SlowMore64, Code) \
  {FAdd, FMul, FFma, DAdd, DMul, DFma, Half, More, SlowLess, SlowMore, SlowMore64},
#include "costs/Expansions.def"
  };
  for (auto [Class, Number] : zip(Classes, Instructions[static_cast<unsigned>(E)]))
    Cost.add(Class, Times * Number);
}

/* ---- By name: nvvm intrinsics and PTX spell operations alike ---- */

// llvm.nvvm.div.rn.ftz.f, div.rn.f32: `How` is a required part, `Type` one of the two spellings.
struct Spelling {
  StringRef Operation, How, Type, ShortType;
  Expansion E;
  bool NotFlushing = false; // only without ftz
};
const Spelling Spellings[] = {
    {"div", "rn", "f32", "f", Expansion::DivF32},
    {"div", "approx", "f32", "f", Expansion::DivApproxF32},
    {"div", "full", "f32", "f", Expansion::DivApproxF32},
    {"rcp", "rn", "f32", "f", Expansion::RcpF32},
    {"sqrt", "rn", "f32", "f", Expansion::SqrtF32},
    {"sin", "approx", "f32", "f", Expansion::SineF32},
    {"cos", "approx", "f32", "f", Expansion::SineF32},
    {"ex2", "approx", "f32", "f", Expansion::ScaledF32, true},
    {"lg2", "approx", "f32", "f", Expansion::ScaledF32, true},
    {"sqrt", "approx", "f32", "f", Expansion::ScaledF32, true},
    {"rsqrt", "approx", "f32", "f", Expansion::ScaledF32, true},
    {"div", "rn", "f64", "d", Expansion::DivF64},
    {"rcp", "rn", "f64", "d", Expansion::RcpF64},
    {"sqrt", "rn", "f64", "d", Expansion::SqrtF64},
    {"rsqrt", "approx", "f64", "d", Expansion::RsqrtF64},
};

void addByName(InstructionCost &Cost, ArrayRef<StringRef> Pieces) {
  for (const Spelling &S : Spellings)
    if (Pieces[0] == S.Operation && is_contained(Pieces, S.How) &&
        (is_contained(Pieces, S.Type) || is_contained(Pieces, S.ShortType)) &&
        !(S.NotFlushing && is_contained(Pieces, "ftz")))
      return add(Cost, S.E, 1);
}

void addPtx(InstructionCost &Cost, const ptx::Instruction &I) {
  const SmallVector<StringRef, 12> Pieces(I.Opcode.begin(), I.Opcode.end());
  if (Pieces[0] == "cvt" && Pieces.size() > 2 && Pieces[Pieces.size() - 2] == "f32" &&
      Pieces.back() == "f16")
    add(Cost, Expansion::HalfToFloat, 1);
  else
    addByName(Cost, Pieces);
}

// The counter of copies that bypass L1 shows none of a warp's lanes, or all, where ptxas predicates the copy.
void addBypass(InstructionCost &Cost, const ptx::Instruction &I, const InstructionCost &Counted) {
  if (I.Opcode[0] != "cp" || !I.has("cg"))
    return;
  for (auto [Class, Amount] : Counted.Amounts)
    if (Class == CostClass::global_load)
      Cost.add(CostClass::expand_bypass, Amount);
}

// A short block behind a branch: ptxas may predicate its instructions.
bool mayBePredicated(const BasicBlock &BB) {
  constexpr unsigned MostInstructions = 12;
  const BasicBlock *Before = BB.getSinglePredecessor();
  return Before && succ_size(Before) > 1 && BB.size() <= MostInstructions;
}

void addFlops(InstructionCost &Cost, const InstructionCost &Of, CostClass Single, CostClass Double) {
  for (auto [Class, Amount] : Of.Amounts)
    if (Class == CostClass::fp32_add || Class == CostClass::fp32_mul || Class == CostClass::fp32_fma)
      Cost.add(Single, Class == CostClass::fp32_fma ? 2 * Amount : Amount);
    else if (Class == CostClass::fp64_add || Class == CostClass::fp64_mul || Class == CostClass::fp64_fma)
      Cost.add(Double, Class == CostClass::fp64_fma ? 2 * Amount : Amount);
}

// ptxas may execute arithmetic under a predicate in all lanes, and select its result.
void addSpeculation(InstructionCost &Cost, const InstructionCost &Predicated) {
  addFlops(Cost, Predicated, CostClass::expand_fp32_more, CostClass::expand_fp64_more);
}

void addLess(InstructionCost &Cost, const InstructionCost &Counted) {
  addFlops(Cost, Counted, CostClass::expand_fp32_less, CostClass::expand_fp64_less);
}

void addStatement(InstructionCost &Cost, const CallBase &Call, const InlineAsm &Asm) {
  const ptx::Program Program = ptx::parse(compat::asmText(Asm));
  const std::optional<std::vector<PtxFlow>> Flow = flowOfPtx(Call);
  for (auto [N, I] : enumerate(Program.Instructions))
    if (Flow && (*Flow)[N] == PtxFlow::Conditional)
      addSpeculation(Cost, costOfPtx(Call, I).Whole);
    else {
      addPtx(Cost, I);
      if (mayBePredicated(*Call.getParent()))
        addBypass(Cost, I, costOfPtx(Call, I).Whole);
    }
}

/* ---- By instruction ---- */

unsigned elementsOf(const Type &T) {
  const auto *Vector = dyn_cast<FixedVectorType>(&T);
  return Vector ? Vector->getNumElements() : 1;
}

bool isOne(const Value &V) {
  const auto *C = dyn_cast<Constant>(&V);
  if (C && C->getType()->isVectorTy())
    C = C->getSplatValue();
  const auto *Number = dyn_cast_or_null<ConstantFP>(C);
  return Number && Number->isExactlyValue(1.0);
}

void addDivision(InstructionCost &Cost, const Instruction &I, const Contractions &C) {
  const Selected How = C.of(I);
  const Type &T = *I.getType()->getScalarType();
  const unsigned Elements = elementsOf(*I.getType());
  if (How == Selected::Product)
    return;
  if (How == Selected::ReciprocalRoot) // it is scaled together with a root of the same number beside it
    return C.of(*cast<Instruction>(I.getOperand(1))) == Selected::Gone
               ? add(Cost, Expansion::ScaledF32, Elements)
               : Cost.add(CostClass::expand_fp32_more, Elements);
  const bool Reciprocal =
      How == Selected::ReciprocalProduct || How == Selected::Reciprocal || isOne(*I.getOperand(0));
  if (T.isDoubleTy())
    add(Cost, Reciprocal ? Expansion::RcpF64 : Expansion::DivF64, Elements);
  else if (T.isFloatTy() && !I.hasApproxFunc())
    add(Cost, Reciprocal ? Expansion::RcpF32 : Expansion::DivF32, Elements);
  else if (T.isFloatTy() && !Reciprocal)
    add(Cost, Expansion::DivApproxF32, Elements);
}

void addSquareRoot(InstructionCost &Cost, const CallBase &Call) {
  const Type &T = *Call.getType()->getScalarType();
  if (T.isDoubleTy())
    add(Cost, Expansion::SqrtF64, elementsOf(*Call.getType()));
  else if (T.isFloatTy() && !cast<FPMathOperator>(Call).hasApproxFunc())
    add(Cost, Expansion::SqrtF32, elementsOf(*Call.getType()));
}

/* ---- Signs ---- */

// Arithmetic, comparisons and FSEL change the sign of an operand by a modifier; FFMA negates only. For any other user
// ptxas adds -0 (FADD -x, -RZ): for the bits of a number, for a value stored or joined, and for a double
// selected, as two instructions select its halves.
bool hasSignModifier(const User &U, const Instruction &Changed) {
  switch (cast<Instruction>(U).getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FNeg:
  case Instruction::FCmp:
    return true;
  case Instruction::Select:
    return !Changed.getType()->getScalarType()->isDoubleTy();
  default:
    break;
  }
  const auto *Call = dyn_cast<IntrinsicInst>(&U);
  const Intrinsic::ID Id = Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic;
  return Id == Intrinsic::minnum || Id == Intrinsic::maxnum ||
         (Changed.getOpcode() == Instruction::FNeg &&
          (Id == Intrinsic::fma || Id == Intrinsic::fmuladd || Id == Intrinsic::fabs));
}

void addSign(InstructionCost &Cost, const Instruction &I) {
  const Type &T = *I.getType()->getScalarType();
  if (!T.isFloatTy() && !T.isDoubleTy())
    return;
  if (!all_of(I.users(), [&](const User *U) { return hasSignModifier(*U, I); }))
    Cost.add(T.isFloatTy() ? CostClass::expand_fp32_more : CostClass::expand_fp64_more, elementsOf(*I.getType()));
}

// The number of a loop's turn as a double: ptxas may add a constant in each turn in place of converting (DADD).
void addInduction(InstructionCost &Cost, const Instruction &I) {
  constexpr unsigned Deepest = 4, MostBits = 32;
  const Value *At = I.getOperand(0);
  if (!I.getType()->isDoubleTy() || At->getType()->getIntegerBitWidth() > MostBits)
    return;
  for (unsigned Depth = 0; Depth < Deepest && !isa<PHINode>(At); ++Depth) {
    const auto *Step = dyn_cast<Instruction>(At);
    if (!Step || !(isa<CastInst>(Step) || (isa<BinaryOperator>(Step) && isa<Constant>(Step->getOperand(1)))))
      return;
    At = Step->getOperand(0);
  }
  if (isa<PHINode>(At))
    Cost.add(CostClass::expand_fp64_more, 1);
}

void addCall(InstructionCost &Cost, const CallBase &Call) {
  if (const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return addStatement(Cost, Call, *Asm);
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isIntrinsic())
    return;
  if (Callee->getIntrinsicID() == Intrinsic::sqrt)
    return addSquareRoot(Cost, Call);
  if (Callee->getIntrinsicID() == Intrinsic::fabs)
    return addSign(Cost, Call);
  StringRef Name = Callee->getName();
  if (!Name.consume_front("llvm.nvvm."))
    return;
  SmallVector<StringRef, 12> Pieces;
  Name.split(Pieces, '.');
  if (Pieces[0] == "div" && isOne(*Call.getArgOperand(0)) && !is_contained(Pieces, "rn"))
    return; // the product of the approximate reciprocal and 1
  if (Pieces[0] == "fabs")
    return addSign(Cost, Call);
  addByName(Cost, Pieces);
}

bool isSameOperation(const Instruction &A, const Instruction &B) {
  const auto *Call = dyn_cast<CallBase>(&A);
  return A.isSameOperationAs(&B) &&
         (!Call || Call->getCalledOperand() == cast<CallBase>(B).getCalledOperand());
}

// ptxas pairs two independent operations on single halves, as the sums of two accumulators, to one instruction.
bool mayBePaired(const Instruction &I) {
  constexpr unsigned Farthest = 64; // instructions
  SmallPtrSet<const Value *, 16> Related(I.op_begin(), I.op_end());
  unsigned Distance = 0;
  for (const Instruction *At = I.getPrevNode(); At && Distance < Farthest; At = At->getPrevNode(), ++Distance) {
    if (Related.contains(At))
      Related.insert(At->op_begin(), At->op_end());
    else if (isSameOperation(I, *At))
      return true;
  }
  Related.clear();
  Related.insert(&I);
  Distance = 0;
  for (const Instruction *At = I.getNextNode(); At && Distance < Farthest; At = At->getNextNode(), ++Distance) {
    if (any_of(At->operands(), [&](const Use &Operand) { return Related.contains(Operand); }))
      Related.insert(At);
    else if (isSameOperation(I, *At))
      return true;
  }
  return false;
}

// One instruction covers two neighbouring elements.
void addHalfArithmetic(InstructionCost &Cost, const InstructionCost &Counted, const Instruction &I) {
  static constexpr CostClass Arithmetic[] = {CostClass::fp16_add, CostClass::fp16_mul, CostClass::fp16_fma,
                                             CostClass::bf16_add, CostClass::bf16_mul, CostClass::bf16_fma};
  for (auto [Class, Amount] : Counted.Amounts)
    if (is_contained(Arithmetic, Class)) {
      add(Cost, Expansion::HalfArithmetic, (Amount + 1) / 2);
      if (Amount == 1 && mayBePaired(I))
        Cost.add(CostClass::expand_half_paired, 1);
    }
}

/* ---- Atomics ---- */

// The counts of an instruction determining ptxas's form of its atomics.
struct AtomicCounts {
  uint64_t GlobalBytes = 0, SharedBytes = 0, Single = 0, Double = 0, Half = 0, Others = 0;

  explicit AtomicCounts(const InstructionCost &Counted) {
    for (auto [Class, Amount] : Counted.Amounts)
      if (uint64_t *Sum = sumOf(Class))
        *Sum += Amount;
  }

private:
  uint64_t *sumOf(CostClass Class) {
    switch (Class) {
    case CostClass::global_atomic:
      return &GlobalBytes;
    case CostClass::shared_atomic:
      return &SharedBytes;
    case CostClass::fp32_accumulate:
      return &Single;
    case CostClass::fp64_accumulate:
      return &Double;
    case CostClass::fp16_accumulate:
    case CostClass::bf16_accumulate:
      return &Half;
    case CostClass::atomic_op:
      return &Others;
    default:
      return nullptr;
    }
  }
};

constexpr uint64_t HalfBytes = 2, WordBytes = 4, LongBytes = 8;

// The machine has no addition of one half in memory: it swaps the word containing the half.
void addHalfLoop(InstructionCost &Cost, const AtomicCounts &A) {
  const uint64_t Words = (A.Half + 1) / 2, Wider = WordBytes * Words - HalfBytes * A.Half;
  if (A.SharedBytes > 0) {
    Cost.add(CostClass::expand_half_shared_loop, Words);
    Cost.add(CostClass::expand_half_shared_swap, Wider);
  } else if (A.GlobalBytes == HalfBytes) {
    Cost.add(CostClass::expand_half_global_loop, Words);
    Cost.add(CostClass::expand_half_global_swap, Wider);
  }
}

bool isExchange(const Instruction &I) {
  const auto *Update = dyn_cast<AtomicRMWInst>(&I);
  return isa<AtomicCmpXchgInst>(I) || (Update && Update->getOperation() == AtomicRMWInst::Xchg);
}

// Shared memory has no addition of floats or of 64-bit integers, and no memory has an addition of one half.
// ptxas makes a loop of a load, the operation and a compare-and-swap (disassembled for sm_80 and sm_90).
void addAtomicLoops(InstructionCost &Cost, const Instruction &I, const InstructionCost &Counted) {
  const AtomicCounts A(Counted);
  if (A.Half > 0)
    return addHalfLoop(Cost, A);
  if (A.SharedBytes == 0)
    return;
  Cost.add(CostClass::expand_fp32_loop, A.Single);
  Cost.add(CostClass::expand_fp64_loop, A.Double);
  if (A.Others > 0 && A.SharedBytes == LongBytes * A.Others && !isExchange(I) && !isa<CallBase>(I))
    Cost.add(CostClass::expand_long_loop, A.Others);
}

/* ---- ptxas's freedom ---- */

struct FreedomClasses {
  CostClass Add, Mul, Fma, Less, Folded;
};
const FreedomClasses *freedomOf(const Type &T) {
  static constexpr FreedomClasses Single = {CostClass::fp32_add, CostClass::fp32_mul, CostClass::fp32_fma,
                                            CostClass::expand_fp32_less, CostClass::expand_fp32_folded};
  static constexpr FreedomClasses Double = {CostClass::fp64_add, CostClass::fp64_mul, CostClass::fp64_fma,
                                            CostClass::expand_fp64_less, CostClass::expand_fp64_folded};
  return T.isFloatTy() ? &Single : T.isDoubleTy() ? &Double : nullptr;
}

// True if the user of a statement's result is in a block reached by some lanes only.
bool isStatementWantedBehindBranch(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || !Call->isInlineAsm())
    return false;
  const BasicBlock *Wanting = nullptr;
  for (const User *U : I.users()) {
    const auto *User = dyn_cast<Instruction>(U);
    if (!User || isa<PHINode>(User) || (Wanting && User->getParent() != Wanting))
      return false;
    Wanting = User->getParent();
  }
  return Wanting && Wanting != I.getParent() && succ_size(I.getParent()) > 1 &&
         is_contained(successors(I.getParent()), Wanting);
}

// IR computes both values of a select; ptxas may compute one under a predicate, in the lanes needing it.
bool isWantedBySome(const Instruction &I, const Sinking &Sunk) {
  if (Sunk.isWantedBehindBranch(I) || isStatementWantedBehindBranch(I))
    return true;
  if (!I.hasOneUse())
    return false;
  const auto *Select = dyn_cast<SelectInst>(*I.user_begin());
  return Select && Select->getCondition() != &I;
}

void addFreedom(InstructionCost &Cost, const Instruction &I, const InstructionCost &Counted, const Sinking &Sunk) {
  const FreedomClasses *Classes = freedomOf(*I.getType()->getScalarType());
  if (!Classes)
    return;
  if (!isWantedBySome(I, Sunk))
    return;
  for (auto [Class, Amount] : Counted.Amounts)
    if (Class == Classes->Add || Class == Classes->Mul || Class == Classes->Fma)
      Cost.add(Classes->Less, Class == Classes->Fma ? 2 * Amount : Amount);
}

// The instructions of a division or a root are computed where they are wanted, like a sum.
void addFreedomOfExpansion(InstructionCost &Cost, const Instruction &I, const Sinking &Sunk) {
  if (!isWantedBySome(I, Sunk))
    return;
  uint64_t Single = 0, Double = 0;
  for (auto [Class, Amount] : Cost.Amounts)
    switch (Class) {
    case CostClass::expand_fp32_fma:
      Single += 2 * Amount;
      break;
    case CostClass::expand_fp32_add:
    case CostClass::expand_fp32_mul:
      Single += Amount;
      break;
    case CostClass::expand_fp64_fma:
      Double += 2 * Amount;
      break;
    case CostClass::expand_fp64_add:
    case CostClass::expand_fp64_mul:
      Double += Amount;
      break;
    default:
      break;
    }
  Cost.add(CostClass::expand_fp32_less, Single);
  Cost.add(CostClass::expand_fp64_less, Double);
}

// Counted FLOPs without execution; possibly executed, unless it is certain.
void addFolded(InstructionCost &Cost, const Instruction &I, const InstructionCost &Counted, bool IsCertain) {
  const FreedomClasses *Classes = freedomOf(*I.getType()->getScalarType());
  if (!Classes)
    return;
  for (auto [Class, Amount] : Counted.Amounts)
    if (Class == Classes->Add || Class == Classes->Mul || Class == Classes->Fma)
      Cost.add(IsCertain ? Classes->Folded : Classes->Less, Class == Classes->Fma ? 2 * Amount : Amount);
}

// ptxas may know a value that is made of constants alone, as 1 - sqrt.approx(3): LLVM knows it before, unless an
// intrinsic is in its way.
bool isOfConstants(const Value &V, unsigned Depth = 0) {
  constexpr unsigned Deepest = 8;
  if (isa<ConstantFP>(V))
    return true;
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || Depth == Deepest || I->mayReadOrWriteMemory() || I->getNumOperands() == 0)
    return false;
  const auto *Call = dyn_cast<IntrinsicInst>(I);
  if (!Call && !isa<BinaryOperator>(I) && I->getOpcode() != Instruction::FNeg)
    return false;
  const auto Operands = Call ? Call->args() : make_range(I->op_begin(), I->op_end());
  auto Known = [&](const Use &Operand) { return isOfConstants(*Operand, Depth + 1); };
  return !Operands.empty() && all_of(Operands, Known);
}

// A product moved here by LLVM: the sum is an fma, or the second of two such products stays beside it.
void addSunkProducts(InstructionCost &Cost, const Instruction &I, const Sinking &Sunk) {
  if (const unsigned Products = Sunk.productsOfOtherBlocks(I))
    Cost.add(I.getType()->isFloatTy() ? CostClass::expand_fp32_mul : CostClass::expand_fp64_mul, Products);
}

// Hopper's mma.sync first converts fp8 to fp16 and multiplies by two products of half the depth. It then adds
// each thread's part of them (M·N/32 sums of 2·M·N·32/32 FLOPs). Only its wgmma multiplies fp8.
void addMatrices(InstructionCost &Cost, const Instruction &I, const InstructionCost &Counted) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  if (Asm && StringRef(compat::asmText(*Asm)).contains("wgmma"))
    return;
  if (!I.getFunction()->getFnAttribute("target-cpu").getValueAsString().starts_with("sm_90"))
    return;
  for (auto [Class, Amount] : Counted.Amounts)
    if (Class == CostClass::tensor_fp8) {
      Cost.add(CostClass::expand_fp8_as_fp16, Amount);
      Cost.add(CostClass::expand_fp32_add, Amount / 64);
    }
}

} // namespace

static InstructionCost ownExpansionOf(const Instruction &I, const InstructionCost &Counted, const Contractions &C,
                                      const Foldings &Folded, const Sinking &Sunk) {
  InstructionCost Cost;
  const Selected How = C.of(I);
  if (How == Selected::Gone)
    return Cost;
  if (Sunk.isProductOfOtherBlock(I)) {
    addFolded(Cost, I, Counted, true);
    return Cost;
  }
  addSunkProducts(Cost, I, Sunk);
  switch (Folded.of(I)) {
  case Folding::Scale:
  case Folding::ByOne:
  case Folding::Merged:
    addFolded(Cost, I, Counted, true);
    return Cost;
  case Folding::MaybeScale:
    addFolded(Cost, I, Counted, false);
    return Cost;
  case Folding::HalfSum: // the product stands for both
  case Folding::Constant:
    return Cost;
  case Folding::None:
    break;
  }
  addHalfArithmetic(Cost, Counted, I);
  addMatrices(Cost, I, Counted);
  addAtomicLoops(Cost, I, Counted);
  addFreedom(Cost, I, Counted, Sunk);
  if (isOfConstants(I))
    addFolded(Cost, I, Counted, false);
  if (I.getOpcode() == Instruction::FDiv)
    addDivision(Cost, I, C);
  else if (I.getOpcode() == Instruction::FPExt && I.getOperand(0)->getType()->getScalarType()->isHalfTy())
    add(Cost, Expansion::HalfToFloat, elementsOf(*I.getType()));
  else if (I.getOpcode() == Instruction::FNeg)
    addSign(Cost, I);
  else if (I.getOpcode() == Instruction::SIToFP || I.getOpcode() == Instruction::UIToFP)
    addInduction(Cost, I);
  else if (const auto *Call = dyn_cast<CallBase>(&I))
    addCall(Cost, *Call);
  addFreedomOfExpansion(Cost, I, Sunk);
  return Cost;
}

// What ptxas may leave out where a value stands, it executes here.
static void addSunk(InstructionCost &Cost, const Instruction &I, const Contractions &C, const Foldings &Folded,
                    const Sinking &Sunk) {
  for (const Instruction *Value : Sunk.before(I))
    for (auto [Class, Amount] : ownExpansionOf(*Value, costOf(*Value, nullptr, &C), C, Folded, Sunk).Amounts)
      if (Class == CostClass::expand_fp32_less)
        Cost.add(CostClass::expand_fp32_behind, Amount);
      else if (Class == CostClass::expand_fp64_less)
        Cost.add(CostClass::expand_fp64_behind, Amount);
}

InstructionCost expansionOf(const Instruction &I, const InstructionCost &Counted, const Contractions &C,
                            const Foldings &Folded, const Sinking &Sunk) {
  InstructionCost Cost = ownExpansionOf(I, Counted, C, Folded, Sunk);
  addSunk(Cost, I, C, Folded, Sunk);
  return Cost;
}

InstructionCost expansionOf(const CallBase &Statement, const ptx::Instruction &I, const InstructionCost &Counted) {
  InstructionCost Cost;
  addHalfArithmetic(Cost, Counted, Statement);
  addMatrices(Cost, Statement, Counted);
  addPtx(Cost, I);
  addBypass(Cost, I, Counted);
  if (isStatementWantedBehindBranch(Statement))
    addLess(Cost, Counted);
  return Cost;
}

PreservedAnalyses ExpansionsPrinterPass::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    OS << "expansions of " << F.getName() << ":\n";
    const Contractions Selection(F, Mode);
    const Foldings Folded(F, Selection);
    const Sinking Sunk(F, Selection);
    for (BasicBlock &BB : F)
      for (Instruction &I : BB) {
        const InstructionCost Cost = expansionOf(I, costOf(I, nullptr, &Selection), Selection, Folded, Sunk);
        for (auto [Class, Amount] : Cost.Amounts)
          OS << "  " << costClassName(Class) << "=" << Amount;
        if (!Cost.Amounts.empty())
          OS << " :" << I << "\n";
      }
  }
  return PreservedAnalyses::all();
}

} // namespace gpuprof
