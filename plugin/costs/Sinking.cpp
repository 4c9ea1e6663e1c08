// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "costs/Sinking.h"

#include "common/Compat.h"
#include "costs/Contractions.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuprof {
namespace {

// LLVM 22 finds it profitable to sink products of floats and doubles; LLVM 19 did not.
constexpr bool SinksProducts = compat::Major >= 22;

bool isArithmetic(const Instruction &I) {
  if (!I.getType()->getScalarType()->isFloatingPointTy() || I.mayReadOrWriteMemory() || isa<PHINode>(I) || I.isTerminator())
    return false;
  const auto *Call = dyn_cast<CallBase>(&I);
  return !Call || (!Call->isConvergent() && !Call->isInlineAsm());
}

/// Conversions, moves and inline PTX without effects: a value passes through them to the block that wants it.
bool passesOn(const Instruction &I) {
  if (I.getType()->isVoidTy() || I.mayReadOrWriteMemory() || isa<PHINode>(I) || I.isTerminator())
    return false;
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return true;
  // clang calls all inline PTX convergent
  const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand());
  return Asm ? !Asm->hasSideEffects() && !StringRef(compat::asmText(*Asm)).contains("sync") : !Call->isConvergent();
}

// The fma of a sum has the operands of its product, not the product.
bool isUsedBy(const Instruction &I, const Instruction &User, const Contractions &Selection) {
  return Selection.of(User) != Selected::Gone && (Selection.productOf(User) != &I || User.getOperand(0) == User.getOperand(1));
}

class Search {
public:
  Search(const Function &F, const Contractions &Selection)
      : Selection(Selection), Before(const_cast<Function &>(F)), Behind(const_cast<Function &>(F)), Loops(Before) {}

  // Blocks are dominated by those whose values they use: the order of the users' values does not matter.
  const BasicBlock *blockWanting(const Instruction &I) {
    if (auto Slot = Known.find(&I); Slot != Known.end())
      return Slot->second;
    Known[&I] = nullptr;
    return Known[&I] = isArithmetic(I) || passesOn(I) ? search(I) : nullptr;
  }

private:
  const BasicBlock *search(const Instruction &I) {
    const BasicBlock *Wanting = nullptr;
    for (const llvm::User *U : I.users()) {
      const auto *User = dyn_cast<Instruction>(U);
      if (!User || isa<PHINode>(User))
        return nullptr;
      if (!isUsedBy(I, *User, Selection))
        continue;
      const BasicBlock *Block = User->getParent() == I.getParent() ? blockWanting(*User) : User->getParent();
      if (!Block || (Wanting && Wanting != Block))
        return nullptr;
      Wanting = Block;
    }
    return Wanting && isPassedBy(*Wanting, *I.getParent()) ? Wanting : nullptr;
  }

  bool isPassedBy(const BasicBlock &Wanting, const BasicBlock &From) {
    const Loop *Inner = Loops.getLoopFor(&Wanting), *Own = Loops.getLoopFor(&From);
    return &Wanting != &From && Before.dominates(&From, &Wanting) && !Behind.dominates(&Wanting, &From) &&
           (!Inner || Inner->contains(Own));
  }

  const Contractions &Selection;
  DominatorTree Before;
  PostDominatorTree Behind;
  LoopInfo Loops;
  DenseMap<const Instruction *, const BasicBlock *> Known;
};

// The first instructions of blocks depending on values. Each value has to be asked for behind its users.
class FirstUsers {
public:
  const Instruction *of(const Instruction &I, const BasicBlock &In) {
    if (auto Slot = Known.find({&I, &In}); Slot != Known.end())
      return Slot->second;
    const Instruction *First = nullptr;
    for (const llvm::User *U : I.users()) {
      const auto *User = cast<Instruction>(U);
      if (isa<PHINode>(User))
        continue;
      const Instruction *Found = User->getParent() == &In ? User : User->getParent() == I.getParent() ? of(*User, In) : nullptr;
      if (Found && (!First || Found->comesBefore(First)))
        First = Found;
    }
    return Known[{&I, &In}] = First;
  }

private:
  DenseMap<std::pair<const Instruction *, const BasicBlock *>, const Instruction *> Known;
};

} // namespace

Sinking::Sinking(const Function &F, const Contractions &Selection) {
  bool Branches = false;
  for (const BasicBlock &BB : F)
    Branches |= BB.getTerminator()->getNumSuccessors() > 1;
  if (!Branches)
    return;
  Search Values(F, Selection);
  FirstUsers Users;
  for (const BasicBlock &BB : F) {
    for (const Instruction &I : reverse(BB)) // no deep recursion
      if (const BasicBlock *Block = Values.blockWanting(I); Block && isArithmetic(I))
        Users.of(I, *Block);
    for (const Instruction &I : BB)
      if (const BasicBlock *Block = isArithmetic(I) ? Values.blockWanting(I) : nullptr;
          Block && Selection.of(I) != Selected::Gone)
        if (const Instruction *User = Users.of(I, *Block)) {
          Wanting[&I] = Block;
          Before[User].push_back(&I);
        }
  }
}

ArrayRef<const Instruction *> Sinking::before(const Instruction &I) const {
  auto Slot = Before.find(&I);
  return Slot == Before.end() ? ArrayRef<const Instruction *>() : ArrayRef<const Instruction *>(Slot->second);
}

bool Sinking::isProductOfOtherBlock(const Instruction &I) const {
  if (!SinksProducts || I.getOpcode() != Instruction::FMul || !I.hasOneUse() || !I.hasAllowContract() ||
      (!I.getType()->isFloatTy() && !I.getType()->isDoubleTy()))
    return false;
  const auto *Sum = cast<Instruction>(*I.user_begin());
  return (Sum->getOpcode() == Instruction::FAdd || Sum->getOpcode() == Instruction::FSub) && Sum->hasAllowContract() &&
         Sum->getParent() != I.getParent();
}

unsigned Sinking::productsOfOtherBlocks(const Instruction &I) const {
  if (I.getOpcode() != Instruction::FAdd && I.getOpcode() != Instruction::FSub)
    return 0;
  return static_cast<unsigned>(count_if(I.operands(), [&](const Use &V) {
    const auto *Product = dyn_cast<Instruction>(V);
    return Product && isProductOfOtherBlock(*Product);
  }));
}

} // namespace gpuprof
