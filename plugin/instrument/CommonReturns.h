// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which paths to a return add their counts together.
#ifndef GPUPROF_INSTRUMENT_COMMONRETURNS_H
#define GPUPROF_INSTRUMENT_COMMONRETURNS_H

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprof {

/// Gives paths to a return a return of their own if threads behind their nearest common dominator may still
/// wait for others, as at a barrier. Code at a common return would be a point of reconvergence: finished threads
/// would wait there for threads waiting for them. All other paths share a return, so that a warp adds its
/// counts once.
void separateReturns(llvm::Function &F);

} // namespace gpuprof
#endif
