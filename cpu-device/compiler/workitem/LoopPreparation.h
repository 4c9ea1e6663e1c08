// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects the kernels for work-item loops and prepares them.
#ifndef GPUPROF_WORKITEM_LOOPPREPARATION_H
#define GPUPROF_WORKITEM_LOOPPREPARATION_H

#include "module/Lowering.h"

namespace gpuprof::cpu {

/// Inlines functions with convergent operations and copies written structures. False: the body keeps a stack
/// for each thread.
bool prepareForLoops(Lowering &L, Kernel &K);
/// Remarks (-Rpass-missed=gpuprof) why a kernel with convergent operations runs on fibers.
void remarkOnStacks(llvm::Function &Body, llvm::StringRef Why, const llvm::Instruction *At = nullptr);

} // namespace gpuprof::cpu
#endif
