// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sector trace of a thread's own loops, once for all iterations.
#ifndef GPUPROF_MEMTRACE_SECTORTRACELOOPS_H
#define GPUPROF_MEMTRACE_SECTORTRACELOOPS_H

namespace gpuprof::cpu {
struct Lowering;

/// Records accesses with a constant step from iteration to iteration once, ahead of their loop.
void recordLoops(Lowering &L);

} // namespace gpuprof::cpu
#endif
