/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CUDA's additions to the C library: min and max for both sides, a few functions on the host, stores with
 * cache hints. */
#ifndef GPUPROF_MINICUDA_MATHEMATICS_H
#define GPUPROF_MINICUDA_MATHEMATICS_H

#define GPUPROF_MIN_MAX(type)                                                                                \
  static __host__ __device__ __forceinline__ type min(type a, type b) { return a < b ? a : b; }              \
  static __host__ __device__ __forceinline__ type max(type a, type b) { return a > b ? a : b; }
/* clang's headers have the device's functions of two ints. */
static __host__ __forceinline__ int min(int a, int b) { return a < b ? a : b; }
static __host__ __forceinline__ int max(int a, int b) { return a > b ? a : b; }
GPUPROF_MIN_MAX(unsigned)
GPUPROF_MIN_MAX(long)
GPUPROF_MIN_MAX(unsigned long)
GPUPROF_MIN_MAX(long long)
GPUPROF_MIN_MAX(unsigned long long)
#undef GPUPROF_MIN_MAX

#define GPUPROF_MIN_MAX_MIXED(result, type_a, type_b)                                                        \
  static __host__ __device__ __forceinline__ result min(type_a a, type_b b) {                                \
    return min((result)a, (result)b);                                                                        \
  }                                                                                                          \
  static __host__ __device__ __forceinline__ result max(type_a a, type_b b) {                                \
    return max((result)a, (result)b);                                                                        \
  }
GPUPROF_MIN_MAX_MIXED(unsigned, int, unsigned)
GPUPROF_MIN_MAX_MIXED(unsigned, unsigned, int)
GPUPROF_MIN_MAX_MIXED(unsigned long, long, unsigned long)
GPUPROF_MIN_MAX_MIXED(unsigned long, unsigned long, long)
GPUPROF_MIN_MAX_MIXED(unsigned long long, long long, unsigned long long)
GPUPROF_MIN_MAX_MIXED(unsigned long long, unsigned long long, long long)

static __host__ __device__ __forceinline__ float min(float a, float b) { return __builtin_fminf(a, b); }
static __host__ __device__ __forceinline__ float max(float a, float b) { return __builtin_fmaxf(a, b); }
static __host__ __device__ __forceinline__ double min(double a, double b) { return __builtin_fmin(a, b); }
static __host__ __device__ __forceinline__ double max(double a, double b) { return __builtin_fmax(a, b); }
GPUPROF_MIN_MAX_MIXED(double, float, double)
GPUPROF_MIN_MAX_MIXED(double, double, float)
#undef GPUPROF_MIN_MAX_MIXED

static __host__ inline float rsqrtf(float a) { return 1.0f / sqrtf(a); }
static __host__ inline double rsqrt(double a) { return 1.0 / sqrt(a); }
static __host__ inline float fdividef(float a, float b) { return a / b; }
static __host__ inline float rsqrt(float a) { return rsqrtf(a); }
static __device__ __forceinline__ float rsqrt(float a) { return rsqrtf(a); }

/* The C library's functions of floats by their C++ names; clang's headers only declare them. */
#define GPUPROF_FLOAT_1(result, name)                                                                        \
  static __device__ __forceinline__ result name(float a) { return name##f(a); }
#define GPUPROF_FLOAT_2(name)                                                                                \
  static __device__ __forceinline__ float name(float a, float b) { return name##f(a, b); }
GPUPROF_FLOAT_1(float, acosh)
GPUPROF_FLOAT_1(float, asinh)
GPUPROF_FLOAT_1(float, atanh)
GPUPROF_FLOAT_1(float, cbrt)
GPUPROF_FLOAT_1(float, erf)
GPUPROF_FLOAT_1(float, erfc)
GPUPROF_FLOAT_1(float, exp2)
GPUPROF_FLOAT_1(float, expm1)
GPUPROF_FLOAT_1(float, lgamma)
GPUPROF_FLOAT_1(float, log1p)
GPUPROF_FLOAT_1(float, log2)
GPUPROF_FLOAT_1(float, logb)
GPUPROF_FLOAT_1(float, nearbyint)
GPUPROF_FLOAT_1(float, rint)
GPUPROF_FLOAT_1(float, round)
GPUPROF_FLOAT_1(float, tgamma)
GPUPROF_FLOAT_1(float, trunc)
GPUPROF_FLOAT_1(int, ilogb)
GPUPROF_FLOAT_1(long, lrint)
GPUPROF_FLOAT_1(long, lround)
GPUPROF_FLOAT_1(long long, llrint)
GPUPROF_FLOAT_1(long long, llround)
GPUPROF_FLOAT_2(copysign)
GPUPROF_FLOAT_2(fdim)
GPUPROF_FLOAT_2(fmax)
GPUPROF_FLOAT_2(fmin)
GPUPROF_FLOAT_2(hypot)
GPUPROF_FLOAT_2(nextafter)
GPUPROF_FLOAT_2(remainder)
static __device__ __forceinline__ float fma(float a, float b, float c) { return fmaf(a, b, c); }
static __device__ __forceinline__ float remquo(float a, float b, int *quotient) {
  return remquof(a, b, quotient);
}
static __device__ __forceinline__ float scalbn(float a, int n) { return scalbnf(a, n); }
static __device__ __forceinline__ float scalbln(float a, long n) { return scalblnf(a, n); }

/* CUDA's own functions; clang's headers have them for doubles only. */
GPUPROF_FLOAT_1(float, cospi)
GPUPROF_FLOAT_1(float, erfcinv)
GPUPROF_FLOAT_1(float, erfcx)
GPUPROF_FLOAT_1(float, erfinv)
GPUPROF_FLOAT_1(float, exp10)
GPUPROF_FLOAT_1(float, normcdf)
GPUPROF_FLOAT_1(float, normcdfinv)
GPUPROF_FLOAT_1(float, rcbrt)
GPUPROF_FLOAT_1(float, sinpi)
#undef GPUPROF_FLOAT_1
#undef GPUPROF_FLOAT_2
static __device__ __forceinline__ void sincos(float a, float *sine, float *cosine) {
  sincosf(a, sine, cosine);
}
static __host__ inline void sincos(float a, float *sine, float *cosine) { ::sincosf(a, sine, cosine); }
static __device__ __forceinline__ void sincospi(float a, float *sine, float *cosine) {
  sincospif(a, sine, cosine);
}

#endif
