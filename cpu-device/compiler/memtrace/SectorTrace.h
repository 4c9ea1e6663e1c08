// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sector trace, for unique bytes. Each access of global memory records its 32-byte sectors in a table of
// the emulator (gpuprof_cpu_sectors in abi.h).
#ifndef GPUPROF_MEMTRACE_SECTORTRACE_H
#define GPUPROF_MEMTRACE_SECTORTRACE_H

namespace gpuprof::cpu {
struct Lowering;

/// Records the accesses of functions other than kernels, in place.
void recordFunctions(Lowering &L);
/// Records the remaining accesses of kernels, not recorded by earlier stages, in place.
void recordAccesses(Lowering &L);

} // namespace gpuprof::cpu
#endif
