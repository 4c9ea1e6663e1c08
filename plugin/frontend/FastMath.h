// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// math=fast: nvcc's --use_fast_math.
#ifndef GPUPROF_FRONTEND_FASTMATH_H
#define GPUPROF_FRONTEND_FASTMATH_H

#include "common/Options.h"

#include <string>

namespace clang {
class CompilerInstance;
class CompilerInvocation;
} // namespace clang

namespace gpuprof {

/// Text that lets clang's CUDA headers call the fast functions of the device library for all functions of nvcc's
/// list. -fgpu-approx-transcendentals has four of them.
std::string fastMathText(clang::CompilerInstance &CI, const Options &O);

/// Sets for the CPU device's code what flags of clang set for the GPU's: approximate functions, divisions and roots,
/// and no denormal numbers. Infinities and NaN stay as they are.
void setMath(clang::CompilerInvocation &Invocation, const Options &O);

} // namespace gpuprof

#endif
