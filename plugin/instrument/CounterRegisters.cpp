// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/CounterRegisters.h"

#include "analysis/Occupancy.h"
#include "common/Architecture.h"
#include "instrument/Flush.h"
#include "instrument/LocalCounters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

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

unsigned registersFor(uint64_t Most) { return Most <= UINT32_MAX ? 1 : 2; }

} // namespace

BitVector countersInRegisters(Function &F, ArrayRef<CounterUse> Counters, bool IsKernel) {
  // Each is added at each return. With 125 of them a function took 2.1 times as long as with additions in its loop.
  constexpr unsigned MostOfFunction = 8;
  const auto IsOfLoop = [](const CounterUse &C) { return C.Depth > 0 && C.Most > 1; };
  const bool MayHaveAll = IsKernel || count_if(Counters, IsOfLoop) <= MostOfFunction;
  std::vector<uint64_t> Most;
  for (const CounterUse &C : Counters)
    Most.push_back(C.Most);
  const RegisterBudget Budget(F);
  const unsigned Packed = LocalCounters::registersFor(Most);
  const bool AreInLoops = any_of(Counters, [](const CounterUse &C) { return C.Depth > 0; });
  BitVector Chosen(static_cast<unsigned>(Counters.size()),
                   MayHaveAll && (Budget.allows(Packed) || (AreInLoops && Budget.allowsInLoops(Packed))));
  if (Chosen.any())
    return Chosen;
  unsigned Taken = 0;
  for (size_t Counter : innermostFirst(Counters)) {
    const unsigned Needed = registersFor(Counters[Counter].Most);
    if (Counters[Counter].Depth == 0 || !Budget.allowsInLoops(Taken + Needed) ||
        (!IsKernel && Taken + Needed > MostOfFunction))
      break;
    Taken += Needed;
    Chosen.set(static_cast<unsigned>(Counter));
  }
  return Chosen;
}

std::vector<unsigned> loopDepths(Function &F, ArrayRef<const BasicBlock *> Blocks) {
  const DominatorTree Dominators(F);
  const LoopInfo Loops(Dominators);
  std::vector<unsigned> Depths;
  for (const BasicBlock *BB : Blocks)
    Depths.push_back(BB ? Loops.getLoopDepth(BB) : 0);
  return Depths;
}

} // namespace gpuprof
