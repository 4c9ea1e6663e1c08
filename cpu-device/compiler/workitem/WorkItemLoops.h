// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels as loops over the threads of a block (work-item loops). A kernel is cut at its convergent
// operations and at the branches that decide between them. The code between two cuts, a parallel region,
// becomes a loop over the threads. A value that lives across a cut is kept in an array of an element a
// thread, a uniform one once.
#ifndef GPUPROF_WORKITEM_WORKITEMLOOPS_H
#define GPUPROF_WORKITEM_WORKITEMLOOPS_H

namespace gpuprof::cpu {
struct Lowering;

/// Attribute of a body that keeps a stack for each thread: the instruction budget is spent
/// (CompileBudget.cpp).
constexpr const char *LeftToStacks = "gpuprof-cpu-stacks";

/// Makes the body of each kernel for which it can a function that runs all threads of a block, with its innermost
/// loops in Kernel::Loops, and Kernel::Thread one that runs one of them.
void formWorkItemLoops(Lowering &L);

} // namespace gpuprof::cpu
#endif
