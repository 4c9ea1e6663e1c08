// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectorises the loop over the threads of a row from outside (outer-loop vectorisation): the threads have
// loops of their own with equal trip counts. A strip of neighbouring threads runs together, its values in
// vectors, as long as its lanes do not diverge. Diverged lanes run in the scalar loop, as do threads beyond
// the last full strip.
#ifndef GPUPROF_VECTORIZE_LANEVECTORIZER_H
#define GPUPROF_VECTORIZE_LANEVECTORIZER_H


namespace gpuprof::cpu {
struct Lowering;

/// Vectorises the profitable work-item loops. Adds the accesses of the vector bodies to the list of
/// unrecorded accesses.
void vectorizeLanes(Lowering &L);

} // namespace gpuprof::cpu
#endif
