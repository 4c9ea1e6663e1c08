// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and sums that an assembler may fuse, and inline PTX that computes with floating-point numbers.
#ifndef GPUPROF_CLONES_FUSEDPRODUCTS_H
#define GPUPROF_CLONES_FUSEDPRODUCTS_H

#include "ptx/Ptx.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace gpuprof {

/// True if the result of an instruction depends on operands of its program alone. A sum or product without a
/// rounding mode counts as such: mayBeContracted() sees whether it may be fused.
bool isPureInstruction(const ptx::Program &Program, size_t Index);

/// True if an instruction chosen by `Concerns` is a product whose value may reach a sum: instruction selection
/// or ptxas may round both at once in one kernel, and not in another with the same instructions.
bool mayBeContracted(llvm::Function &F, llvm::function_ref<bool(const llvm::Instruction &)> Concerns);

} // namespace gpuprof
#endif
