// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of registers: an estimate of a kernel's need, and the number of concurrent warps of a
// multiprocessor.
#ifndef GPUPROF_ANALYSIS_OCCUPANCY_H
#define GPUPROF_ANALYSIS_OCCUPANCY_H

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprof {

/// The maximum number of live 32-bit registers, plus the constant need of every kernel: an estimate of
/// ptxas's allocation. LLVM's order of instructions may keep twice as many alive as ptxas's.
unsigned registersOf(llvm::Function &F);

/// The number of warps for which a multiprocessor has registers.
unsigned residentWarps(unsigned Registers, unsigned Architecture);
/// Lost steps of the number of concurrent warps on a multiprocessor if a thread has more registers. An
/// architecture is the number in sm_90.
unsigned stepsLost(unsigned Registers, unsigned More, unsigned Architecture);

/// Maximum number of registers of a thread under the kernel's launch bounds.
unsigned mostRegisters(const llvm::Function &Kernel);

} // namespace gpuprof
#endif
