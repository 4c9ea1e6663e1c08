// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/CounterRegisters.h"

#include "analysis/Occupancy.h"
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
    constexpr unsigned Unit = 8; // of allocation: fewer never cost more than a step
    if (More <= Unit)
      return true;
    const unsigned Steps = std::max(stepsLost(Own, More, Architecture),
                                    stepsLost(Own / 2, More, Architecture)); // ptxas may need half
    return Own + More <= mostRegisters(Kernel) && Steps <= 1;
  }

private:
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

BitVector countersInRegisters(Function &Kernel, ArrayRef<CounterUse> Counters) {
  std::vector<uint64_t> Most;
  for (const CounterUse &C : Counters)
    Most.push_back(C.Most);
  const RegisterBudget Budget(Kernel);
  BitVector Chosen(static_cast<unsigned>(Counters.size()), Budget.allows(LocalCounters::registersFor(Most)));
  if (Chosen.any())
    return Chosen;
  unsigned Taken = 0;
  for (size_t Counter : innermostFirst(Counters)) {
    const unsigned Needed = registersFor(Counters[Counter].Most);
    if (Counters[Counter].Depth == 0 || !Budget.allows(Taken + Needed))
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
