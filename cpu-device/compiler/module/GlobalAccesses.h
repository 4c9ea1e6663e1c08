// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accesses of a function to memory possibly global.
#ifndef GPUPROF_MODULE_GLOBALACCESSES_H
#define GPUPROF_MODULE_GLOBALACCESSES_H

#include "module/Lowering.h"
#include "module/GlobalAccess.h"

namespace gpuprof::cpu {

/// The accesses of a function in the order of the code, without gpuprof's own (counters).
llvm::SmallVector<GlobalAccess> globalAccesses(const Lowering &L, llvm::Function &F);
/// The same without repetitions of an earlier access in the same block.
llvm::SmallVector<GlobalAccess> distinctAccesses(const Lowering &L, llvm::Function &F);

} // namespace gpuprof::cpu
#endif
