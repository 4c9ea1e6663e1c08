// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds guards that leave one thread of a warp, as `if (threadIdx.x != 0) return;`.
#ifndef GPUPROF_INSTRUMENT_GUARDRETURNS_H
#define GPUPROF_INSTRUMENT_GUARDRETURNS_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Function;
class ReturnInst;
} // namespace llvm

namespace gpuprof {

struct SeparateGuards {
  llvm::SmallVector<llvm::ReturnInst *, 2> Returns;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> Before; // the blocks on the way to them
};

/// Gives such guards at a kernel's begin a bare return of their own, if what follows is long. At a common return the threads would
/// meet again: ptxas then makes each branch in between a place where threads come together, though there is one. Measured on an
/// H200: a kernel of one thread had 314 of these places and took 1.9 of its plain time. What threads count before such a guard is to
/// be added there, so that they need no code at its return: that too made ptxas do so.
SeparateGuards separateGuards(llvm::Function &Kernel);

} // namespace gpuprof
#endif
