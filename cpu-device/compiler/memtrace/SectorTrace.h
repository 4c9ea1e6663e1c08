// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sector trace, for unique bytes: each access of global memory records the 32-byte sectors that it touches
// in a table of the emulator (gpuprof_cpu_sectors in abi.h).
#ifndef GPUPROF_MEMTRACE_SECTORTRACE_H
#define GPUPROF_MEMTRACE_SECTORTRACE_H

namespace gpuprof::cpu {
struct Lowering;

/// Records the accesses of functions that are not kernels, where they are made.
void recordFunctions(Lowering &L);
/// Records the accesses of kernels that no earlier stage has recorded, where they are made.
void recordAccesses(Lowering &L);

} // namespace gpuprof::cpu
#endif
