// With a toolkit nvcc's version is the toolkit's, in the compiles for host, GPU and
// CPU device, also behind the toolkit's headers. The command line has precedence.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -c %s -o %t.o -Werror
// RUN: %clangxx -fplugin=%plugin -x cuda %toolkit --cuda-gpu-arch=sm_90 --cuda-device-only -fsyntax-only -Werror %s
// RUN: %clangxx -fplugin=%plugin %cudaflags -fsyntax-only -Werror -D__CUDACC_VER_MAJOR__=7 -DMAJOR=7 %s
// RUN: %clangxx -fplugin=%plugin %cudaflags -fsyntax-only -Werror -U__CUDACC_VER_MINOR__ -DWITHOUT %s
#ifndef MAJOR
#define MAJOR (CUDART_VERSION / 1000)
#endif
#if __CUDACC_VER_MAJOR__ != MAJOR || defined(__NVCC__) || !defined(__CUDACC_VER_BUILD__)
#error "wrong macros"
#endif
#ifdef WITHOUT
#ifdef __CUDACC_VER_MINOR__
#error "it was to be undefined"
#endif
#elif __CUDACC_VER_MINOR__ != CUDART_VERSION % 1000 / 10
#error "wrong minor"
#endif
#include <cuda_fp16.h>
__global__ void kernel(half *p) { p[threadIdx.x] = __float2half(1.0f); }
