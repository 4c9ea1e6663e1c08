// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/CounterRegisters.h"

#include "analysis/Occupancy.h"
#include "common/Architecture.h"
#include "instrument/Flush.h"
#include "instrument/LocalCounters.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;

namespace gpuprof {
namespace {

class RegisterBudget {
public:
  explicit RegisterBudget(Function &Kernel)
      : Kernel(Kernel), Own(registersOf(Kernel)), Architecture(architectureOf(Kernel)) {}

  bool allows(unsigned More) const {
    return More <= Unit || (fits(Own, More) && stepsLost(Own, More, Architecture) <= 1 &&
                            stepsLost(Own / 2, More, Architecture) <= 1); // ptxas may need half
  }

  // Measured on an H100: with the 16 counters of a loop in memory a kernel took 7.5 times as long. Where ptxas
  // needs more than half of the estimate, it keeps some of them in memory itself.
  bool allowsInLoops(unsigned More) const {
    return More <= Unit || (fits(Own / 2, More) && keepsHalf(Own, More) && keepsHalf(Own / 2, More));
  }

  // ptxas packs such a kernel so tightly that its code gets slower. Measured on an H200: with 12 more registers a kernel of 165 was
  // assembled for 168, without a spill, and took 1.7 to 1.9 times as long.
  bool isScarce(unsigned More) const {
    constexpr unsigned Many = 96;
    return Own > Many && More > Unit;
  }

private:
  static constexpr unsigned Unit = 8; // of allocation: fewer never cost more than a step

  bool fits(unsigned Registers, unsigned More) const { return Registers + More <= mostRegisters(Kernel); }

  bool keepsHalf(unsigned Registers, unsigned More) const {
    return 2 * residentWarps(Registers + More, Architecture) >= residentWarps(Registers, Architecture);
  }

  Function &Kernel;
  unsigned Own, Architecture;
};

std::vector<size_t> innermostFirst(ArrayRef<CounterUse> Counters) {
  std::vector<size_t> Order(Counters.size());
  for (size_t I = 0; I < Order.size(); ++I)
    Order[I] = I;
  llvm::sort(Order, [&](size_t A, size_t B) {
    return Counters[A].Depth != Counters[B].Depth ? Counters[A].Depth > Counters[B].Depth : A < B;
  });
  return Order;
}

// Loops within are taken to turn eight times.
uint64_t instructionsOfTurn(const Loop &L, const LoopInfo &Loops) {
  constexpr uint64_t Turns = 8;
  uint64_t Sum = 0;
  for (const BasicBlock *BB : L.blocks()) {
    uint64_t Number = BB->size();
    for (unsigned Depth = Loops.getLoopDepth(BB); Depth > L.getLoopDepth(); --Depth)
      Number = SaturatingMultiply(Number, Turns);
    Sum = SaturatingAdd(Sum, Number);
  }
  return Sum;
}

bool isOfLoop(const CounterUse &C) { return C.Depth > 0 && C.Most > 1; }

// Ten instructions and an addition in memory are nothing beside such a turn.
bool isOfLongTurns(const CounterUse &C) {
  constexpr uint64_t Long = 500;
  return isOfLoop(C) && C.Turn >= Long;
}

unsigned registersFor(uint64_t Most) { return Most <= UINT32_MAX ? 1 : 2; }

unsigned registersFor(ArrayRef<CounterUse> Counters, const BitVector &Wanted) {
  std::vector<uint64_t> Most;
  for (unsigned Counter : Wanted.set_bits())
    Most.push_back(Counters[Counter].Most);
  return LocalCounters::registersFor(Most);
}

} // namespace

BitVector countersInRegisters(Function &F, ArrayRef<CounterUse> Counters, bool IsKernel) {
  // Each is added at each return. With 125 of them a function took 2.1 times as long as with additions in its loop. 14 of 14 took
  // 1.08 of the plain time and 8 of them 1.15; 16 of 300 took 1.29 and 8 of them 1.18.
  constexpr unsigned MostOfFunction = 16, SomeOfFunction = 8;
  const bool MayHaveAll = IsKernel || count_if(Counters, isOfLoop) <= MostOfFunction;
  const RegisterBudget Budget(F);
  BitVector Wanted(static_cast<unsigned>(Counters.size()), true);
  if (IsKernel && Budget.isScarce(registersFor(Counters, Wanted)))
    for (auto [Counter, C] : enumerate(Counters))
      if (isOfLongTurns(C))
        Wanted.reset(static_cast<unsigned>(Counter));
  const unsigned Packed = registersFor(Counters, Wanted);
  const bool AreInLoops = any_of(Counters, [](const CounterUse &C) { return C.Depth > 0; });
  if (MayHaveAll && (Budget.allows(Packed) || (AreInLoops && Budget.allowsInLoops(Packed))))
    return Wanted;
  BitVector Chosen(static_cast<unsigned>(Counters.size()));
  unsigned Taken = 0;
  for (size_t Counter : innermostFirst(Counters)) {
    if (!Wanted.test(static_cast<unsigned>(Counter)))
      continue;
    const unsigned Needed = registersFor(Counters[Counter].Most);
    if (Counters[Counter].Depth == 0 || !Budget.allowsInLoops(Taken + Needed) ||
        (!IsKernel && Taken + Needed > SomeOfFunction))
      break;
    Taken += Needed;
    Chosen.set(static_cast<unsigned>(Counter));
  }
  return Chosen;
}

std::vector<CounterUse> usesInBlocks(Function &F, ArrayRef<const BasicBlock *> Blocks) {
  const DominatorTree Dominators(F);
  const LoopInfo Loops(Dominators);
  DenseMap<const Loop *, uint64_t> Turns;
  std::vector<CounterUse> Uses(Blocks.size());
  for (auto [Counter, BB] : enumerate(Blocks))
    if (const Loop *L = BB ? Loops.getLoopFor(BB) : nullptr) {
      const auto [Turn, IsNew] = Turns.try_emplace(L, 0);
      if (IsNew)
        Turn->second = instructionsOfTurn(*L, Loops);
      Uses[Counter].Depth = L->getLoopDepth();
      Uses[Counter].Turn = Turn->second;
    }
  return Uses;
}

} // namespace gpuprof
