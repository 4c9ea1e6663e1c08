/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CUDA without a toolkit: the language, its device functions from clang's own headers, and the runtime's
 * functions. The command line of a program includes this header into all of its files. C++ files without
 * kernels get the runtime's functions and types alone, C files nothing. */
#ifndef GPUPROF_MINICUDA_CUDA_RUNTIME_H
#define GPUPROF_MINICUDA_CUDA_RUNTIME_H

#ifdef __cplusplus
#if defined(__CUDA__) && defined(__clang__)
/* As in clang's own wrapper: first the device's overloads of the C library, then the C library. */
#include <__clang_cuda_math_forward_declares.h>
#endif

#include <climits>
#include <cmath>
#include <cstdlib>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utility>
#if defined(__CUDA__) && defined(__clang__)
/* Sources for nvcc count on these, since CUDA's header includes them. */
#include <assert.h>
#include <stdio.h>
#include <time.h>
#endif

#include "parts/language.h"
#include "parts/runtime_templates.h"

#if defined(__CUDA__) && defined(__clang__)
/* Host compiles see the functions of every compute capability, as with clang's own wrapper. */
#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 9999
#endif
#include <__clang_cuda_builtin_vars.h>

#include "parts/libdevice.h"
#include "parts/special_functions.h"

#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

extern "C" {
/* System calls of the device. */
__device__ int vprintf(const char *, const char *);
__device__ void free(void *) __attribute__((nothrow));
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function,
                             size_t character_bytes);
__device__ static inline void __assert_fail(const char *message, const char *file, unsigned line,
                                            const char *function) {
  __assertfail(message, file, line, function, sizeof(char));
}
__device__ int printf(const char *, ...);
}

namespace std {
__device__ static inline void free(void *pointer) { ::free(pointer); }
__device__ static inline void *malloc(size_t bytes) { return ::malloc(bytes); }
} // namespace std

#include "parts/new.h"

#define GPUPROF_BUILTIN(name)                                                                                \
  __device__ inline __cuda_builtin_##name##_t::operator dim3() const { return dim3(x, y, z); }               \
  __device__ inline __cuda_builtin_##name##_t::operator uint3() const { return {x, y, z}; }
GPUPROF_BUILTIN(threadIdx)
GPUPROF_BUILTIN(blockIdx)
GPUPROF_BUILTIN(blockDim)
GPUPROF_BUILTIN(gridDim)
#undef GPUPROF_BUILTIN

static __device__ __forceinline__ void __nanosleep(unsigned ns) {
  asm volatile("nanosleep.u32 %0;" ::"r"(ns));
}

/* Tests of an address for its memory space. */
static __device__ __forceinline__ unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
static __device__ __forceinline__ unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
static __device__ __forceinline__ unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
static __device__ __forceinline__ unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
static __device__ __forceinline__ size_t __cvta_generic_to_shared(const void *p) {
  return (size_t)(void __attribute__((address_space(3))) *)p;
}
static __device__ __forceinline__ size_t __cvta_generic_to_global(const void *p) {
  return (size_t)(void __attribute__((address_space(1))) *)p;
}

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>
#pragma pop_macro("__CUDA_ARCH__")

#include "parts/atomics.h"
#include "parts/cache_hints.h"
#include "parts/device_launches.h"
#include "parts/dot_products.h"
#include "parts/mathematics.h"

#define __CUDACC__ 1
#endif
#define __CUDA_RUNTIME_H__
#endif

#endif
