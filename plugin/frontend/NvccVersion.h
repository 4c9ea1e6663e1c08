// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The macros with nvcc's version.
#ifndef GPUPROF_FRONTEND_NVCCVERSION_H
#define GPUPROF_FRONTEND_NVCCVERSION_H

#include <string>

namespace clang {
class CompilerInstance;
}

namespace gpuprof {

/// CUDA_VERSION of the CUDA headers on the command line, 0 without any.
unsigned cudaHeaderVersion(clang::CompilerInstance &CI);

/// Text defining __CUDACC_VER_MAJOR__ and its like in CUDA compiles, with the version of the nvcc belonging
/// to the CUDA headers on the command line. Programs choose their code by them, and clang has none of them.
/// Definitions of the command line are kept.
std::string nvccVersionText(clang::CompilerInstance &CI);

} // namespace gpuprof

#endif
