/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attributes of CUDA's language, vector types, dim3. */
#ifndef GPUPROF_MINICUDA_LANGUAGE_H
#define GPUPROF_MINICUDA_LANGUAGE_H

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
/* clang has no managed variables for CUDA; on the CPU device host and kernels use the host's. */
#define __managed__ __attribute__((device)) __attribute__((annotate("gpuprof.managed")))
#define __grid_constant__ __attribute__((grid_constant))
#else /* the host's half, for compilers that do not know CUDA */
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __managed__
#define __grid_constant__
#endif
#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#ifndef __noinline__
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define CUDART_CB

typedef unsigned cuuint32_t;
typedef unsigned long long cuuint64_t;

/* T1 to T4 with their make functions; alignments as in CUDA. */
#define GPUPROF_VECTOR(type, name, a2, a4)                                                                   \
  struct name##1 {                                                                                           \
    type x;                                                                                                  \
  };                                                                                                         \
  struct __align__(a2) name##2 {                                                                             \
    type x, y;                                                                                               \
  };                                                                                                         \
  struct name##3 {                                                                                           \
    type x, y, z;                                                                                            \
  };                                                                                                         \
  struct __align__(a4) name##4 {                                                                             \
    type x, y, z, w;                                                                                         \
  };                                                                                                         \
  static __inline__ __host__ __device__ name##1 make_##name##1(type x) { return {x}; }                       \
  static __inline__ __host__ __device__ name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  static __inline__ __host__ __device__ name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  static __inline__ __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w) {             \
    return {x, y, z, w};                                                                                     \
  }
GPUPROF_VECTOR(signed char, char, 2, 4)
GPUPROF_VECTOR(unsigned char, uchar, 2, 4)
GPUPROF_VECTOR(short, short, 4, 8)
GPUPROF_VECTOR(unsigned short, ushort, 4, 8)
GPUPROF_VECTOR(int, int, 8, 16)
GPUPROF_VECTOR(unsigned, uint, 8, 16)
GPUPROF_VECTOR(long, long, 16, 16)
GPUPROF_VECTOR(unsigned long, ulong, 16, 16)
GPUPROF_VECTOR(long long, longlong, 16, 16)
GPUPROF_VECTOR(unsigned long long, ulonglong, 16, 16)
GPUPROF_VECTOR(float, float, 8, 16)
GPUPROF_VECTOR(double, double, 16, 16)
#undef GPUPROF_VECTOR

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

#endif
