// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What makes a loop over threads one whose iterations the optimiser may run side by side.
#ifndef GPUPROF_WORKITEM_PARALLELLOOPS_H
#define GPUPROF_WORKITEM_PARALLELLOOPS_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class BasicBlock;
class Instruction;
} // namespace llvm

namespace gpuprof::cpu {

/// Marks the iterations of a loop over threads as independent: by CUDA's rules threads of a block do not
/// access the same memory between two barriers, but by atomics and by reads. `Latch` is the loop's last
/// branch. `IsPart`: the kernel has several such loops, which are not unrolled.
void markParallelLoop(llvm::Instruction &Latch, llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                      bool IsPart = false);

} // namespace gpuprof::cpu
#endif
