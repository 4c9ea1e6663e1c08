// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instruction budget of a file: work-item loops are several times the code of a thread.
#ifndef GPUPROF_LOWER_COMPILEBUDGET_H
#define GPUPROF_LOWER_COMPILEBUDGET_H

namespace gpuprof::cpu {
struct Lowering;

/// What -O3 multiplies the budget by: loops of a large kernel compile five to ten times as long as its threads on stacks.
constexpr unsigned BudgetOfO3 = 2;

/// Leaves the kernels beyond the budget on fibers. Call it before any stage changing their code.
void limitLoops(Lowering &L);
/// Compiles functions beyond the budget without optimisation. Call it after all other stages.
void limitOptimising(Lowering &L);
} // namespace gpuprof::cpu
#endif
