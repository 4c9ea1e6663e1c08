// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What NVIDIA's compiler declares and clang's CUDA headers do not, so that programs written for the former compile.
#ifndef GPUPROF_FRONTEND_CUDASHIMS_H
#define GPUPROF_FRONTEND_CUDASHIMS_H

namespace gpuprof {

/// Text for the beginning of a CUDA translation unit in C++11 or later. Everything is a template, so that a function of the user's, of
/// the standard library or of a newer clang is the better match wherever there is one.
const char *cudaShims();

} // namespace gpuprof

#endif
