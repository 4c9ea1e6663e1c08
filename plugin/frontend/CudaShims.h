// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations of NVIDIA's compiler missing in clang's CUDA headers, for programs written for the former.
#ifndef GPUPROF_FRONTEND_CUDASHIMS_H
#define GPUPROF_FRONTEND_CUDASHIMS_H

namespace gpuprof {

/// Text for the beginning of a CUDA translation unit in C++11 or later. Everything is a template: a function
/// of the user's, of the standard library or of a newer clang is the better match.
const char *cudaShims();

} // namespace gpuprof

#endif
