// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unsigned 32-bit indices of shared memory.
#ifndef GPUPROF_LOWER_SHAREDINDICES_H
#define GPUPROF_LOWER_SHAREDINDICES_H

namespace gpuprof::cpu {
struct Lowering;

/// Sign-extends unsigned indices of shared memory possibly below zero: on a GPU they reach memory before the
/// array.
void wrapSharedIndices(Lowering &L);
} // namespace gpuprof::cpu
#endif
