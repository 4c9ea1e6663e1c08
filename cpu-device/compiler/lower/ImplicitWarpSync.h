// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp-synchronous code without __syncwarp().
#ifndef GPUPROF_LOWER_IMPLICITWARPSYNC_H
#define GPUPROF_LOWER_IMPLICITWARPSYNC_H

namespace gpuprof::cpu {
struct Lowering;

/// Synchronises lanes exchanging values through shared memory without a barrier.
void insertImplicitWarpSync(Lowering &L);
} // namespace gpuprof::cpu
#endif
