// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks side by side along x whose threads run as one long row.
#ifndef GPUPROF_WORKITEM_MERGEDBLOCKS_H
#define GPUPROF_WORKITEM_MERGEDBLOCKS_H

#include "module/Lowering.h"

namespace gpuprof::cpu {

/// True if a body reads threadIdx.x and blockIdx.x in blockIdx.x * blockDim.x + threadIdx.x alone, and if nothing else
/// in it belongs to a block. The sum counts on from block to block: the emulator may give the body several at a time.
bool canMergeBlocks(const Lowering &L, llvm::Function &Body);

} // namespace gpuprof::cpu
#endif
