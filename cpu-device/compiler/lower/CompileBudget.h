// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instruction budget of a file: work-item loops are several times the code of a thread.
#ifndef GPUPROF_LOWER_COMPILEBUDGET_H
#define GPUPROF_LOWER_COMPILEBUDGET_H

namespace llvm {
class Module;
} // namespace llvm

namespace gpuprof::cpu {
struct Lowering;

/// Leaves the kernels beyond the budget on fibers. Call it before any stage changing their code.
void limitLoops(Lowering &L);
/// Compiles functions beyond the budget without optimisation. Call it after all other stages.
void limitOptimising(llvm::Module &M);
} // namespace gpuprof::cpu
#endif
