// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of each kernel called by the emulator, and the tables of abi.h.
#ifndef GPUPROF_ENTRIES_KERNELENTRIES_H
#define GPUPROF_ENTRIES_KERNELENTRIES_H

namespace gpuprof::cpu {
struct Lowering;

/// Emits the entry functions of each kernel and the tables.
void emitKernelEntries(Lowering &L);
} // namespace gpuprof::cpu
#endif
