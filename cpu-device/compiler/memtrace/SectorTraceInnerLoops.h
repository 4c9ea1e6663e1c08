// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sector trace of the innermost work-item loops, once for a whole row.
#ifndef GPUPROF_MEMTRACE_SECTORTRACEINNERLOOPS_H
#define GPUPROF_MEMTRACE_SECTORTRACEINNERLOOPS_H

namespace gpuprof::cpu {
struct Lowering;

/// Records accesses of the work-item loops before each row if their addresses and conditions are affine in
/// threadIdx.x. The others are left in Kernel::Unrecorded.
void recordInnerLoops(Lowering &L);

} // namespace gpuprof::cpu
#endif
