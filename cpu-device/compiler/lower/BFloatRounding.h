// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library function for rounding to bfloat.
#ifndef GPUPROF_LOWER_BFLOATROUNDING_H
#define GPUPROF_LOWER_BFLOATROUNDING_H

namespace gpuprof::cpu {
struct Lowering;

/// Defines the function called by x86's code generator for rounding to bfloat; old compilers' libraries lack
/// it.
void defineBFloatRounding(Lowering &L);
} // namespace gpuprof::cpu
#endif
