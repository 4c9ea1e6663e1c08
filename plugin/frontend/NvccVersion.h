// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The macros by which programs ask how new nvcc is.
#ifndef GPUPROF_FRONTEND_NVCCVERSION_H
#define GPUPROF_FRONTEND_NVCCVERSION_H

#include <string>

namespace clang {
class CompilerInstance;
}

namespace gpuprof {

/// Text that defines __CUDACC_VER_MAJOR__ and its like in CUDA compiles, as the nvcc does that belongs to the CUDA headers on
/// the command line. Programs choose their code by them, and clang has none of them. What the command line defines stays.
std::string nvccVersionText(clang::CompilerInstance &CI);

} // namespace gpuprof

#endif
