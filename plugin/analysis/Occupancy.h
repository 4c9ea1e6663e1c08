// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What registers cost: how many a kernel needs, about, and how many warps of a multiprocessor can then run at
// once.
#ifndef GPUPROF_ANALYSIS_OCCUPANCY_H
#define GPUPROF_ANALYSIS_OCCUPANCY_H

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprof {

/// The most 32-bit registers that are live at once, and what every kernel needs besides: an estimate of what
/// ptxas will take. In the order of LLVM's instructions twice as many may be live as in that of ptxas.
unsigned registersOf(llvm::Function &F);

/// How many steps of the number of warps that run at once on a multiprocessor are lost if a thread has more registers. An
/// architecture is the number in sm_90.
unsigned stepsLost(unsigned Registers, unsigned More, unsigned Architecture);

/// The most registers that the kernel's launch bounds leave to a thread.
unsigned mostRegisters(const llvm::Function &Kernel);

} // namespace gpuprof
#endif
