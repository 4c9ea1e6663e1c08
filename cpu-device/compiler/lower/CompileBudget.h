// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instruction budget of a file: loops over threads are several times the code of a thread.
#ifndef GPUPROF_LOWER_COMPILEBUDGET_H
#define GPUPROF_LOWER_COMPILEBUDGET_H

namespace llvm {
class Module;
} // namespace llvm

namespace gpuprof::cpu {
struct Lowering;

/// Leaves the kernels beyond the budget on stacks. Before any stage that changes their code.
void limitLoops(Lowering &L);
/// Compiles functions beyond the budget without optimisation. After all other stages.
void limitOptimising(llvm::Module &M);
} // namespace gpuprof::cpu
#endif
