// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Occupancy.h"

#include "common/Compat.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <vector>

using namespace llvm;

namespace gpuprof {
namespace {

constexpr unsigned MostOfThread = 255;
constexpr unsigned OfMultiprocessor = 65536;
constexpr unsigned WarpSize = 32;
constexpr unsigned ThreadUnit = 8; // allocation unit of a thread's registers
constexpr unsigned WarpUnit = 4;   // number of parts of a multiprocessor with registers of their own
// Addresses being computed, the stack's pointer, and values held longer by a schedule than in LLVM's order.
constexpr unsigned Besides = 10;

unsigned mostWarps(unsigned Architecture) {
  switch (Architecture) {
  case 75:
    return 32;
  case 86:
  case 87:
  case 89:
  case 120:
  case 121:
    return 48;
  default:
    return 64;
  }
}

// Predicates have registers of their own.
unsigned registersOf(const Type &T, const DataLayout &Layout) {
  if (!T.isSized() || T.getScalarType()->isIntegerTy(1))
    return 0;
  return static_cast<unsigned>((Layout.getTypeSizeInBits(const_cast<Type *>(&T)).getFixedValue() + 31) / 32);
}

// A value that ptxas makes anew where it is needed, as part of an address or an operand: its operand is kept instead. LLVM computes
// such values far ahead, and before loops.
bool isMadeAnew(const Instruction &I) {
  if (const auto *Address = dyn_cast<GetElementPtrInst>(&I))
    return Address->hasAllConstantIndices();
  return isa<ZExtInst, SExtInst, BitCastInst, AddrSpaceCastInst, PtrToIntInst, IntToPtrInst, FreezeInst>(I);
}

const Value &kept(const Value &V) {
  const Value *Kept = &V;
  for (const auto *I = dyn_cast<Instruction>(Kept); I && isMadeAnew(*I); I = dyn_cast<Instruction>(Kept))
    Kept = I->getOperand(0);
  return *Kept;
}

// The values needed later, by a fixed point over the blocks from their ends.
class Liveness {
public:
  explicit Liveness(Function &F) {
    const DataLayout &Layout = F.getParent()->getDataLayout();
    for (Instruction &I : instructions(F))
      if (const unsigned Number = isMadeAnew(I) ? 0 : registersOf(*I.getType(), Layout)) {
        Numbers[&I] = static_cast<unsigned>(Sizes.size());
        Sizes.push_back(Number);
      }
    std::vector<BasicBlock *> Blocks(po_begin(&F), po_end(&F));
    for (BasicBlock *BB : Blocks)
      AtBegin[BB].resize(static_cast<unsigned>(Sizes.size()));
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (BasicBlock *BB : Blocks) {
        BitVector Live = atEnd(*BB);
        pass(*BB, Live);
        if (Live != AtBegin[BB]) {
          AtBegin[BB] = std::move(Live);
          Changed = true;
        }
      }
    }
  }

  unsigned most() const { return Most; }

private:
  BitVector atEnd(BasicBlock &BB) {
    BitVector Live(static_cast<unsigned>(Sizes.size()));
    for (BasicBlock *Next : successors(&BB)) {
      Live |= AtBegin[Next];
      for (PHINode &Phi : Next->phis())
        need(Live, *Phi.getIncomingValueForBlock(&BB));
    }
    return Live;
  }

  void pass(BasicBlock &BB, BitVector &Live) {
    unsigned Now = 0;
    for (unsigned Number : Live.set_bits())
      Now += Sizes[Number];
    Most = std::max(Most, Now);
    for (Instruction &I : reverse(BB)) {
      if (const auto Own = Numbers.find(&I); Own != Numbers.end() && Live.test(Own->second)) {
        Live.reset(Own->second);
        Now -= Sizes[Own->second];
      }
      if (isa<PHINode>(I) || isMadeAnew(I))
        continue;
      for (Value *Operand : I.operands())
        Now += need(Live, *Operand);
      Most = std::max(Most, Now);
    }
  }

  // The additional registers needed.
  unsigned need(BitVector &Live, const Value &V) const {
    const auto Number = Numbers.find(&kept(V));
    if (Number == Numbers.end() || Live.test(Number->second))
      return 0;
    Live.set(Number->second);
    return Sizes[Number->second];
  }

  DenseMap<const Value *, unsigned> Numbers;
  std::vector<unsigned> Sizes;
  DenseMap<const BasicBlock *, BitVector> AtBegin;
  unsigned Most = 0;
};

} // namespace

unsigned registersOf(Function &F) { return std::min(MostOfThread, Liveness(F).most() + Besides); }

// Source: CUDA C++ Programming Guide, technical specifications per compute capability.
unsigned residentWarps(unsigned Registers, unsigned Architecture) {
  const unsigned OfThread = (std::max(Registers, 1u) + ThreadUnit - 1) / ThreadUnit * ThreadUnit;
  const unsigned Warps = OfMultiprocessor / (OfThread * WarpSize) / WarpUnit * WarpUnit;
  return std::min(Warps, mostWarps(Architecture));
}

unsigned stepsLost(unsigned Registers, unsigned More, unsigned Architecture) {
  unsigned Steps = 0;
  for (unsigned R = Registers; R < std::min(Registers + More, MostOfThread); ++R)
    Steps += residentWarps(R, Architecture) != residentWarps(R + 1, Architecture);
  return Steps;
}

unsigned mostRegisters(const Function &Kernel) {
  const auto [Threads, Blocks] = compat::launchBounds(Kernel);
  if (Threads == 0)
    return MostOfThread;
  const unsigned Most =
      OfMultiprocessor / std::max(1u, Threads * std::max(1u, Blocks)) / ThreadUnit * ThreadUnit;
  return std::clamp(Most, 16u, MostOfThread);
}

} // namespace gpuprof
