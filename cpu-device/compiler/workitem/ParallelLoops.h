// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metadata permitting the optimiser to run iterations of a work-item loop side by side.
#ifndef GPUPROF_WORKITEM_PARALLELLOOPS_H
#define GPUPROF_WORKITEM_PARALLELLOOPS_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class BasicBlock;
class Instruction;
} // namespace llvm

namespace gpuprof::cpu {

/// Marks the iterations of a work-item loop as independent. By CUDA's rules threads of a block share memory
/// between two barriers by atomics and reads only. `Latch` is the loop's last branch. `IsPart`: the kernel
/// has several such loops; they are not unrolled.
void markParallelLoop(llvm::Instruction &Latch, llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                      bool IsPart = false);

} // namespace gpuprof::cpu
#endif
