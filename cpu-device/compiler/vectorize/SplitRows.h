// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUPROF_VECTORIZE_SPLITROWS_H
#define GPUPROF_VECTORIZE_SPLITROWS_H

namespace gpuprof::cpu {
struct Lowering;

/// A loop over the threads of a long row becomes two if it compares their index with a uniform number: one for the threads
/// below it, one for the others. Neither needs a mask.
void splitRows(Lowering &L);

} // namespace gpuprof::cpu
#endif
