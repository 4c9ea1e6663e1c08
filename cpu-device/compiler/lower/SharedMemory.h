// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __shared__ variables.
#ifndef GPUPROF_LOWER_SHAREDMEMORY_H
#define GPUPROF_LOWER_SHAREDMEMORY_H

namespace gpuprof::cpu {
struct Lowering;

/// Shared variables become offsets from the block's shared memory.
void lowerShared(Lowering &L);
} // namespace gpuprof::cpu
#endif
