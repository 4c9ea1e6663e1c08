// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Busy-waiting loops.
#ifndef GPUPROF_LOWER_INSERTYIELDS_H
#define GPUPROF_LOWER_INSERTYIELDS_H

namespace gpuprof::cpu {
struct Lowering;

/// Threads of a block take turns: a loop waiting for another thread yields in each iteration.
void insertYields(Lowering &L);
} // namespace gpuprof::cpu
#endif
