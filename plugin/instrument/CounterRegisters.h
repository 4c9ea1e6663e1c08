// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which counters of a kernel are registers. The others are added to memory where they count.
#ifndef GPUPROF_INSTRUMENT_COUNTERREGISTERS_H
#define GPUPROF_INSTRUMENT_COUNTERREGISTERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"

#include <cstdint>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace gpuprof {

/// How often a counter is added to.
struct CounterUse {
  uint64_t Most = 0;  // maximum added by a thread
  unsigned Depth = 0; // number of loops around the addition
  uint64_t Turn = 0;  // instructions of a turn of the innermost of them, about
};

/// The counters kept in registers. Registers must not cost the kernel more than one step of concurrently running
/// warps, nor exceed its launch bounds. Counters of loops may cost half of the warps: an addition to memory is about ten
/// instructions. If they cost more, the innermost come first. In a kernel of many registers, loops of long turns have none. A
/// called function, which adds what it counted at each return, has few of them.
llvm::BitVector countersInRegisters(llvm::Function &F, llvm::ArrayRef<CounterUse> Counters, bool IsKernel);

/// The uses of counters whose additions are in these blocks; null: of no block.
std::vector<CounterUse> usesInBlocks(llvm::Function &F, llvm::ArrayRef<const llvm::BasicBlock *> Blocks);

} // namespace gpuprof
#endif
