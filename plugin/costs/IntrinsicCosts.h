// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of LLVM's and NVVM's intrinsics.
#ifndef GPUPROF_COSTS_INTRINSICCOSTS_H
#define GPUPROF_COSTS_INTRINSICCOSTS_H

#include "costs/CostParts.h"

namespace gpuprof {

/// The cost of a call of an intrinsic.
void addIntrinsic(InstructionCost &Cost, const llvm::CallBase &Call, const WarpUniformity *U);

} // namespace gpuprof
#endif
