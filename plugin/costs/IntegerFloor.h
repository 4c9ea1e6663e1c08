// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine instructions that integer work needs at least.
#ifndef GPUPROF_COSTS_INTEGERFLOOR_H
#define GPUPROF_COSTS_INTEGERFLOOR_H

#include "costs/Costs.h"

namespace gpuprof {

/// The classes least_… of one execution. They are 1 where the instruction's value differs between lanes and must stand in
/// a register, since its user cannot compute it by itself. ptxas merges other operations, and removes those of addresses
/// and loop counters. No class has them. See docs/developer/roofline.md.
InstructionCost integerFloorOf(const llvm::Instruction &I, const WarpUniformity &U);

} // namespace gpuprof
#endif
