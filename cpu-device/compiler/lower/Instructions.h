// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intrinsics, inline PTX, library calls and instructions with different semantics on the two targets.
#ifndef GPUPROF_LOWER_INSTRUCTIONS_H
#define GPUPROF_LOWER_INSTRUCTIONS_H

namespace gpuprof::cpu {
struct Lowering;

void lowerInstructions(Lowering &L);
} // namespace gpuprof::cpu
#endif
