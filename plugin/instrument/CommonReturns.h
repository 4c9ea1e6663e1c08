// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which paths to a return add their counts together.
#ifndef GPUPROF_INSTRUMENT_COMMONRETURNS_H
#define GPUPROF_INSTRUMENT_COMMONRETURNS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class Instruction;
class ReturnInst;
} // namespace llvm

namespace gpuprof {

/// Gives paths to a return a return of their own if threads behind their nearest common dominator may still
/// wait for others, as at a barrier. Code at a common return would be a point of reconvergence: finished threads
/// would wait there for threads waiting for them. All other paths share a return, so that a warp adds its
/// counts once.
void separateReturns(llvm::Function &F);

/// The ends of the paths to a return, each in a block of its own where that is worth it: what a path counts is mostly known
/// there. The paths still meet at the return. A return behind other code than phis is its own only end. Copies: how many
/// instructions a path may get.
llvm::SmallVector<llvm::Instruction *, 4> pathsToReturn(llvm::ReturnInst &Return, size_t Copies);

} // namespace gpuprof
#endif
