// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels as loops over the threads of a block (work-item loops). A kernel is cut at its convergent
// operations and at the branches deciding between them. The code between two cuts, a parallel region, becomes
// a loop over the threads. A varying value live across a cut is kept in an array of one element a thread, a
// uniform one once.
#ifndef GPUPROF_WORKITEM_WORKITEMLOOPS_H
#define GPUPROF_WORKITEM_WORKITEMLOOPS_H

namespace gpuprof::cpu {
struct Lowering;

/// Turns each suitable kernel's body into a function running all threads of a block. Kernel::Loops then has
/// its innermost loops, and Kernel::Thread a function for one thread.
void formWorkItemLoops(Lowering &L);

} // namespace gpuprof::cpu
#endif
