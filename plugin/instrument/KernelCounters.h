// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts the planned counters into one kernel and into instances of the functions called by it.
#ifndef GPUPROF_INSTRUMENT_KERNELCOUNTERS_H
#define GPUPROF_INSTRUMENT_KERNELCOUNTERS_H

namespace llvm {
class GlobalVariable;
} // namespace llvm

namespace gpuprof {

struct KernelPlan;

/// Bases: the array of counter addresses, with the kernel's own at Index. ForCpu: no warp operations. Returns true if counters
/// of the kernel itself have no registers: they are added to memory at once.
bool insertKernelCounters(const KernelPlan &Plan, llvm::GlobalVariable &Bases, unsigned Index, bool ForCpu);

} // namespace gpuprof
#endif
