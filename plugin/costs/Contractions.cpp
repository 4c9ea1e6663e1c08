// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "costs/Contractions.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprof {
namespace {

bool isSplatOf(const Value &V, double Number) {
  const auto *C = dyn_cast<Constant>(&V);
  if (C && C->getType()->isVectorTy())
    C = C->getSplatValue();
  const auto *Constant = dyn_cast_or_null<ConstantFP>(C);
  return Constant && Constant->isExactlyValue(Number);
}

// sqrt.approx of fp32: it has a counterpart rsqrt.approx.
bool isApproximateRoot(const Value &V) {
  const auto *Call = dyn_cast<CallInst>(&V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Callee->isIntrinsic() || !Call->getType()->isFloatTy())
    return false;
  if (Callee->getName().starts_with("llvm.nvvm.sqrt.approx"))
    return true;
  return (Callee->getIntrinsicID() == Intrinsic::sqrt || Callee->getName() == "llvm.nvvm.sqrt.f") &&
         Call->hasApproxFunc();
}

class BlockSelection {
public:
  BlockSelection(const BasicBlock &BB, ContractionMode Mode, DenseMap<const Instruction *, Selected> &Known,
                 DenseMap<const Instruction *, const Instruction *> &Contained)
      : BB(BB), Mode(Mode), Known(Known), Contained(Contained) {}

  void run() {
    for (const Instruction &I : BB)
      if (I.getType()->isFPOrFPVectorTy())
        Uses[&I] = usesOf(I);
    shareReciprocals();
    for (const Instruction &I : reverse(BB))
      visit(I);
    for (const Instruction *Sum : Doubles)
      if (!Known.count(Sum))
        visitDouble(*Sum);
  }

private:
  // A value used by other blocks, or by phis, leaves by one copy.
  unsigned usesOf(const Instruction &I) const {
    unsigned Here = 0, Elsewhere = 0;
    for (const User *U : I.users()) {
      const auto *User = dyn_cast<Instruction>(U);
      if (User && User->getParent() == &BB && !isa<PHINode>(User))
        ++Here;
      else
        Elsewhere = 1;
    }
    return Here + Elsewhere;
  }

  unsigned *useCount(const Value &V) {
    const auto *I = dyn_cast<Instruction>(&V);
    auto Slot = I && I->getParent() == &BB ? Uses.find(I) : Uses.end();
    return Slot == Uses.end() ? nullptr : &Slot->second;
  }
  // Called for an fma replacing a product.
  void use(const Value &V) {
    if (unsigned *Count = useCount(V))
      ++*Count;
    UsedByFma.insert(&V);
  }
  // An unused value is deleted, and its uses end.
  void release(const Value &V) {
    unsigned *Count = useCount(V);
    if (!Count || *Count == 0 || --*Count > 0)
      return;
    const auto &I = cast<Instruction>(V);
    if (!isArithmetic(I) && !isApproximateRoot(I))
      return;
    if (Known.lookup(&I) == Selected::ReciprocalProduct) {
      Known[&I] = Selected::Reciprocal;
      return;
    }
    Known[&I] = Selected::Gone;
    for (const Value *Operand : I.operand_values())
      release(*Operand); // a call's callee has no count
  }
  bool isArithmetic(const Instruction &I) const {
    switch (I.getOpcode()) {
    case Instruction::FDiv:
      return Known.count(&I);
    case Instruction::FNeg:
    case Instruction::FMul:
    case Instruction::FAdd:
    case Instruction::FSub:
      return true;
    default:
      return false;
    }
  }
  bool isGone(const Instruction &I) const { return Known.lookup(&I) == Selected::Gone; }

  /* ---- Products with sums ---- */

  bool mayContract(const Instruction &I) const {
    return Mode == ContractionMode::All || I.hasAllowContract();
  }

  const Instruction *product(const Value &V) const {
    const auto *I = dyn_cast<Instruction>(&V);
    if (!I || I->getParent() != &BB || !mayContract(*I) || is_contained(Doubles, I))
      return nullptr;
    const Selected How = Known.lookup(I);
    const bool Multiplies =
        I->getOpcode() == Instruction::FMul || How == Selected::Product || How == Selected::ReciprocalProduct;
    return Multiplies ? I : nullptr;
  }

  void contract(const Instruction &Sum, const Instruction &Product) {
    Known[&Sum] = Selected::Fma;
    Contained[&Sum] = &Product;
    use(*Product.getOperand(0));
    if (Product.getOpcode() == Instruction::FMul)
      use(*Product.getOperand(1));
    release(Product);
  }

  // The operand of a negation; sums take it with the other sign.
  const Value &withoutSign(const Value &V) {
    const auto *Negation = dyn_cast<Instruction>(&V);
    if (!Negation || Negation->getOpcode() != Instruction::FNeg || Negation->getParent() != &BB)
      return V;
    const Value &Inner = *Negation->getOperand(0);
    if (unsigned *Count = useCount(Inner))
      ++*Count;
    release(V);
    return withoutSign(Inner);
  }

  // a - 2·b, with a product without other users, becomes a - (b + b).
  void takeDoubleOff(const Value &V) {
    const auto *I = dyn_cast<Instruction>(&V);
    if (I && I->getParent() == &BB && I->getOpcode() == Instruction::FMul && *useCount(*I) == 1 &&
        isSplatOf(*I->getOperand(1), -2.0))
      addDouble(*I);
  }

  void visitSum(const Instruction &Sum) {
    if (Sum.getOpcode() == Instruction::FAdd)
      for (const Value *Operand : Sum.operand_values())
        takeDoubleOff(*Operand);
    const bool Subtracts = Sum.getOpcode() == Instruction::FSub;
    const Value &B = withoutSign(*Sum.getOperand(1));
    // The sign of the minuend stays if the other operand is a product.
    const Value &A =
        Subtracts && mayContract(Sum) && product(B) ? *Sum.getOperand(0) : withoutSign(*Sum.getOperand(0));
    if (!Subtracts && &A == &B)
      return addDouble(Sum);
    if (!mayContract(Sum))
      return;
    const Instruction *First = product(A), *Second = product(B);
    if (First && Second && *useCount(*First) > *useCount(*Second))
      First = nullptr;
    if (First || Second)
      contract(Sum, First ? *First : *Second);
  }

  // Examined again once all other sums have absorbed their products.
  void addDouble(const Instruction &Sum) {
    unsigned *Count = useCount(*Sum.getOperand(0));
    if (Count && Sum.getOpcode() == Instruction::FMul)
      ++*Count;
    Doubles.push_back(&Sum);
    visitDouble(Sum);
  }

  // q + q, also spelt 2·q: NVPTX contracts it if q has at most four uses, all of them sums.
  void visitDouble(const Instruction &Sum) {
    constexpr unsigned MostUses = 4;
    const Instruction *Product = product(*Sum.getOperand(0));
    const Type &Element = *Sum.getType()->getScalarType(); // vectors of these are split
    if (!Product || !mayContract(Sum) || (!Element.isFloatTy() && !Element.isDoubleTy()))
      return;
    if (*useCount(*Product) <= MostUses && !UsedByFma.contains(Product) &&
        all_of(Product->users(), [&](const User *U) { return U == &Sum || isNoOther(*U, *Product); }))
      contract(Sum, *Product);
  }
  // Still a sum, or no user any more.
  bool isNoOther(const User &U, const Instruction &Product) const {
    const auto *I = dyn_cast<Instruction>(&U);
    if (!I || I->getParent() != &BB)
      return false;
    switch (Known.lookup(I)) {
    case Selected::Fma:
      return Contained.lookup(I) == &Product && I->getOperand(0) != I->getOperand(1);
    case Selected::Gone:
      return true;
    default:
      return I->getOpcode() == Instruction::FAdd || is_contained(Doubles, I);
    }
  }

  /* ---- Quotients ---- */

  // Quotients by one divisor become products with its reciprocal if permitted (arcp), from two on.
  void shareReciprocals() {
    DenseMap<const Value *, SmallSetVector<const Instruction *, 4>> Quotients;
    for (const Instruction &I : BB)
      if (I.getOpcode() == Instruction::FDiv && I.hasAllowReciprocal() && !isa<Constant>(I.getOperand(1)))
        Quotients[I.getOperand(1)].insert(&I);
    for (auto &[Divisor, Users] : Quotients) {
      if (Users.size() < 2)
        continue;
      bool First = true;
      for (const Instruction *I : Users) {
        Known[I] = First ? Selected::ReciprocalProduct : Selected::Product;
        First = false;
      }
    }
  }

  void visitQuotient(const Instruction &I) {
    if (!isSplatOf(*I.getOperand(0), 1.0) || !isApproximateRoot(*I.getOperand(1)) ||
        cast<Instruction>(I.getOperand(1))->getParent() != &BB || Known.count(&I))
      return;
    Known[&I] = Selected::ReciprocalRoot;
    use(*cast<CallInst>(I.getOperand(1))->getArgOperand(0));
    release(*I.getOperand(1));
  }

  void visit(const Instruction &I) {
    if (isGone(I))
      return;
    if (I.getOpcode() == Instruction::FAdd || I.getOpcode() == Instruction::FSub)
      visitSum(I);
    else if (I.getOpcode() == Instruction::FMul && isSplatOf(*I.getOperand(1), 2.0))
      addDouble(I);
    else if (I.getOpcode() == Instruction::FDiv)
      visitQuotient(I);
  }

  const BasicBlock &BB;
  const ContractionMode Mode;
  DenseMap<const Instruction *, Selected> &Known;
  DenseMap<const Instruction *, const Instruction *> &Contained; // product of an fma
  DenseMap<const Instruction *, unsigned> Uses;
  SmallPtrSet<const Value *, 8> UsedByFma;
  SmallVector<const Instruction *, 4> Doubles;
};

} // namespace

Contractions::Contractions(const Function &F, ContractionMode Mode) {
  for (const BasicBlock &BB : F)
    BlockSelection(BB, Mode, Known, Contained).run();
}

PreservedAnalyses ContractionsPrinterPass::run(Module &M, ModuleAnalysisManager &) {
  for (const Function &F : M) {
    if (F.isDeclaration())
      continue;
    const Contractions Predicted(F, Mode);
    unsigned Plain = 0, Fused = 0, Reciprocals = 0;
    for (const BasicBlock &BB : F)
      for (const Instruction &I : BB) {
        const Selected How = Predicted.of(I);
        const bool Sums = I.getOpcode() == Instruction::FAdd || I.getOpcode() == Instruction::FSub ||
                          I.getOpcode() == Instruction::FMul;
        Plain += (Sums && How == Selected::AsWritten) || How == Selected::Product ||
                 How == Selected::ReciprocalProduct;
        Fused += How == Selected::Fma;
        Reciprocals += How == Selected::ReciprocalProduct || How == Selected::Reciprocal ||
                       How == Selected::ReciprocalRoot;
      }
    OS << F.getName() << ": " << Plain << " sums and products, " << Fused << " fmas, " << Reciprocals
       << " reciprocals\n";
  }
  return PreservedAnalyses::all();
}

} // namespace gpuprof
