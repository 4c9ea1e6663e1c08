// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectorises the loop over the threads of a row from outside (outer-loop vectorisation): the threads have loops
// of their own with equal trip counts. A strip of neighbouring threads runs together, its values in vectors, as
// long as its lanes do not diverge. Diverged lanes, and threads that fill no strip, run in the scalar loop.
#ifndef GPUPROF_VECTORIZE_LANEVECTORIZER_H
#define GPUPROF_VECTORIZE_LANEVECTORIZER_H


namespace gpuprof::cpu {
struct Lowering;

/// Vectorises the work-item loops that gain from it. Accesses that are still to be recorded are followed by
/// those of the vector bodies.
void vectorizeLanes(Lowering &L);

} // namespace gpuprof::cpu
#endif
