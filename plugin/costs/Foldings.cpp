// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "costs/Foldings.h"

#include "common/Compat.h"
#include "costs/Contractions.h"
#include "ptx/Ptx.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <map>
#include <optional>
#include <vector>

using namespace llvm;

namespace gpuprof {
namespace {

/* ---- Inline PTX ---- */

/// The relevant features of a text: CUDA's headers for halves have few forms.
struct AsmShape {
  enum { Other, Pack, PackSame, Broadcast, Low, High } Form = Other;
  enum { NoArithmetic, Product, Sum } Half = NoArithmetic; // one instruction without rounding, on halves
  bool OnlyMoves = false;                                  // moves and conversions
  bool Converts = false;
};

bool isHalfType(StringRef Piece) {
  return Piece == "f16" || Piece == "f16x2" || Piece == "bf16" || Piece == "bf16x2";
}

AsmShape shapeOf(StringRef Text) {
  AsmShape Shape;
  const ptx::Program Program = ptx::parse({Text.data(), Text.size()});
  if (!Program.Error.empty() || !Program.Branch.empty() || Program.Instructions.empty())
    return Shape;
  Shape.OnlyMoves = all_of(Program.Instructions, [](const ptx::Instruction &I) {
    return I.Predicate.empty() && (I.Opcode[0] == "mov" || I.Opcode[0] == "cvt");
  });
  Shape.Converts =
      any_of(Program.Instructions, [](const ptx::Instruction &I) { return I.Opcode[0] == "cvt"; });
  const ptx::Instruction &First = Program.Instructions.front(), &Last = Program.Instructions.back();
  if (Program.Instructions.size() == 1 && First.Opcode.size() == 2 && isHalfType(First.Opcode[1])) {
    if (First.Opcode[0] == "mul")
      Shape.Half = AsmShape::Product;
    else if (First.Opcode[0] == "add" || First.Opcode[0] == "sub")
      Shape.Half = AsmShape::Sum;
  }
  if (!Shape.OnlyMoves || Last.Operands.size() != 2 || Last.Operands[0] != "$0")
    return Shape;
  const std::string &Source = Last.Operands[1];
  if (Program.Instructions.size() == 1 && Source == "{$1,$2}")
    Shape.Form = AsmShape::Pack;
  else if (Program.Instructions.size() == 1 && Source == "{$1,$1}")
    Shape.Form = AsmShape::PackSame;
  else if (Program.Instructions.size() == 2 && First.Operands.size() == 2) {
    const std::string &To = First.Operands[0];
    if (Source == "{" + To + "," + To + "}")
      Shape.Form = AsmShape::Broadcast;
    else if (First.Operands[1] == "$1" && To == "{" + Source + ",high}")
      Shape.Form = AsmShape::Low;
    else if (First.Operands[1] == "$1" && To == "{low," + Source + "}")
      Shape.Form = AsmShape::High;
  }
  return Shape;
}

const InlineAsm *pureAsm(const Value &V) {
  const auto *Call = dyn_cast<CallInst>(&V);
  const auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  return Asm && !Asm->hasSideEffects() && !Call->getType()->isVoidTy() && !Call->mayWriteToMemory() ? Asm
                                                                                                    : nullptr;
}

/* ---- Equal values ---- */

/// Equal values have one number. LLVM merges equal instructions itself, except users of inline PTX results:
/// clang calls all inline PTX convergent.
class Numbers {
public:
  explicit Numbers(StringMap<AsmShape> &Shapes) : Shapes(Shapes) {}

  /// New: no equal value has been numbered. Otherwise the first instruction with its number, possibly I
  /// itself.
  unsigned number(const Instruction &I) {
    const unsigned N = fresh(I);
    Of[&I] = N;
    First.try_emplace(N, &I);
    return N;
  }
  const Instruction *first(unsigned N) const { return First.lookup(N); }
  /// The value of each element, if known.
  std::optional<double> constant(unsigned N) const {
    auto Slot = Constants.find(N);
    return Slot == Constants.end() ? std::nullopt : std::optional<double>(Slot->second);
  }
  unsigned of(const Value &V) {
    auto [Slot, New] = Of.try_emplace(&V, 0);
    if (!New)
      return Slot->second;
    const unsigned N = Slot->second = Next++;
    if (std::optional<double> Number = numberOf(V))
      Constants[N] = *Number;
    return N;
  }

private:
  static std::optional<double> halfNumber(uint64_t Bits) {
    return APFloat(APFloat::IEEEhalf(), APInt(16, Bits)).convertToFloat();
  }
  // Integers stand for their value as halves: called only for values converted to halves.
  static std::optional<double> numberOf(const Value &V) {
    if (const auto *C = dyn_cast<ConstantFP>(&V); C && C->getType()->isFloatTy())
      return C->getValueAPF().convertToFloat();
    const auto *C = dyn_cast<ConstantInt>(&V);
    if (C && C->getBitWidth() == 16)
      return halfNumber(C->getZExtValue());
    if (C && C->getBitWidth() == 32 && (C->getZExtValue() & 0xffff) == C->getZExtValue() >> 16)
      return halfNumber(C->getZExtValue() & 0xffff);
    return std::nullopt;
  }

  void setConstant(unsigned N, double Number) {
    Constants[N] = Number;
    if (auto Slot = Halves.find(N); Slot != Halves.end())
      Constants[Slot->second.first] = Constants[Slot->second.second] = Number;
  }

  unsigned keyed(std::vector<unsigned> Key) {
    auto [Slot, New] = Known.try_emplace(std::move(Key), 0);
    if (New)
      Slot->second = Next++;
    return Slot->second;
  }

  unsigned fresh(const Instruction &I) {
    std::vector<unsigned> Key = {I.getOpcode()};
    const InlineAsm *Asm = pureAsm(I);
    // The callee of a call is an operand too, the last one.
    for (const Value *Operand : I.operand_values())
      Key.push_back(of(*Operand));
    if (!Asm)
      return keyed(std::move(Key));
    const std::string Text = compat::asmText(*Asm);
    const AsmShape &Shape = Shapes[Text];
    const std::vector<unsigned> Operands(Key.begin() + 1, Key.end() - 1);
    if ((Shape.Form == AsmShape::Low || Shape.Form == AsmShape::High) && Halves.count(Operands[0])) {
      const auto &[Low, High] = Halves[Operands[0]];
      return Shape.Form == AsmShape::Low ? Low : High;
    }
    const unsigned N = keyed(std::move(Key));
    if (Shape.Form == AsmShape::Pack)
      Halves[N] = {Operands[0], Operands[1]};
    else if (Shape.Form == AsmShape::PackSame)
      Halves[N] = {Operands[0], Operands[0]};
    else if (Shape.Form == AsmShape::Broadcast) {
      const unsigned Half = keyed({0, N});
      Halves[N] = {Half, Half};
    }
    if (Shape.OnlyMoves && !Operands.empty() &&
        all_of(Operands, [&](unsigned O) { return constant(O) && *constant(O) == constant(Operands[0]); }))
      setConstant(N, *constant(Operands[0]));
    return N;
  }

  StringMap<AsmShape> &Shapes;
  unsigned Next = 1;
  DenseMap<const Value *, unsigned> Of;
  DenseMap<unsigned, const Instruction *> First;
  DenseMap<unsigned, double> Constants;
  DenseMap<unsigned, std::pair<unsigned, unsigned>> Halves;
  std::map<std::vector<unsigned>, unsigned> Known;
};

bool isNumbered(const Instruction &I) {
  if (pureAsm(I))
    return true;
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    return Call->getIntrinsicID() == Intrinsic::fma || Call->getIntrinsicID() == Intrinsic::fabs;
  return isa<BinaryOperator>(I) || I.getOpcode() == Instruction::FNeg;
}

/* ---- By two ---- */

const Instruction *onlyUser(const Instruction &I) {
  return I.hasOneUse() ? dyn_cast<Instruction>(*I.user_begin()) : nullptr;
}

// Modifiers of FMUL: times 2, 4 and 8, and the same divided.
bool isScale(const Value &V) {
  const auto *C = dyn_cast<ConstantFP>(&V);
  if (!C || !C->getType()->isFloatTy())
    return false;
  static constexpr float Scales[] = {2, 4, 8, 0.5f, 0.25f, 0.125f};
  return is_contained(Scales, C->getValueAPF().convertToFloat());
}

bool isPlainProduct(const Instruction &I, const Contractions &Selection) {
  return I.getOpcode() == Instruction::FMul && I.getType()->isFloatTy() &&
         Selection.of(I) == Selected::AsWritten;
}

bool isNegation(const Value &V) {
  const auto *I = dyn_cast<Instruction>(&V);
  return I && I->getOpcode() == Instruction::FNeg;
}

// ptxas moves a sign into the constant; negative factors have no modifiers.
bool mayBeNegated(const Instruction &Scale) {
  auto IsSubtracted = [](const User *Product) {
    return any_of(Product->users(), [&](const User *U) {
      const auto *Sum = dyn_cast<Instruction>(U);
      return Sum && Sum->getOpcode() == Instruction::FSub && Sum->getOperand(1) == Product;
    });
  };
  return any_of(Scale.users(), [&](const User *U) {
    const auto *I = dyn_cast<Instruction>(U);
    return isNegation(*U) || (I && I->getOpcode() == Instruction::FSub) ||
           (I && I->getOpcode() == Instruction::FMul && IsSubtracted(I));
  });
}

Folding scaleOfProduct(const Instruction &I, const Contractions &Selection) {
  if (!isPlainProduct(I, Selection) || !isScale(*I.getOperand(1)))
    return Folding::None;
  const auto *Product = dyn_cast<Instruction>(I.getOperand(0));
  if (!Product || !Product->hasOneUse() || Product->getParent() != I.getParent() ||
      !isPlainProduct(*Product, Selection) ||
      any_of(Product->operand_values(), [](const Value *V) { return isNegation(*V); }))
    return Folding::None;
  return mayBeNegated(I) ? Folding::MaybeScale : Folding::Scale;
}

} // namespace

Foldings::Foldings(Function &F, const Contractions &Selection) {
  StringMap<AsmShape> Shapes;
  for (const Instruction &I : instructions(F)) {
    if (const InlineAsm *Asm = pureAsm(I)) {
      const std::string Text = compat::asmText(*Asm);
      if (!Shapes.count(Text))
        Shapes[Text] = shapeOf(Text);
    }
    const Folding Scale = scaleOfProduct(I, Selection);
    if (Scale != Folding::None && !Known.count(cast<Instruction>(I.getOperand(0))))
      Known[&I] = Scale;
  }
  if (Shapes.empty()) // without inline PTX, LLVM has merged everything itself
    return;
  auto ShapeOf = [&](const Value &V) {
    const InlineAsm *Asm = pureAsm(V);
    return Asm ? Shapes.lookup(compat::asmText(*Asm)) : AsmShape();
  };
  const DominatorTree Tree(F);
  Numbers Values(Shapes);
  SmallPtrSet<const Value *, 8> Taken;
  for (const BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
    for (const Instruction &I : *BB) {
      if (!isNumbered(I))
        continue;
      const unsigned N = Values.number(I);
      const Instruction *First = Values.first(N);
      const AsmShape Shape = ShapeOf(I);
      if (Values.constant(N) && Shape.Converts)
        Known[&I] = Folding::Constant;
      else if (First != &I && Tree.dominates(First, &I))
        Known[&I] = Folding::Merged;
      else if (I.getOpcode() == Instruction::FMul && any_of(I.operand_values(), [&](const Value *V) {
                 return Values.constant(Values.of(*V)) == 1.0;
               }))
        Known[&I] = Folding::ByOne;
      else if (Shape.Half == AsmShape::Sum)
        for (const Value *Operand : cast<CallInst>(I).args()) {
          const auto *Product = dyn_cast<Instruction>(Operand);
          if (!Product || ShapeOf(*Product).Half != AsmShape::Product || onlyUser(*Product) != &I ||
              Product->getParent() != BB || !Taken.insert(Product).second)
            continue;
          Known[&I] = Folding::HalfSum;
          break;
        }
    }
}

} // namespace gpuprof
