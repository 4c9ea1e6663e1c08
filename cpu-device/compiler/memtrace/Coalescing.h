// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coalescing: the sectors touched by the lanes of a warp in one execution of an instruction.
#ifndef GPUPROF_MEMTRACE_COALESCING_H
#define GPUPROF_MEMTRACE_COALESCING_H

namespace gpuprof::cpu {
struct Lowering;

/// Records each global access together with the warp's execution of it, for sectors per request.
void recordCoalescing(Lowering &L);

} // namespace gpuprof::cpu
#endif
