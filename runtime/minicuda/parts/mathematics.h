/* What CUDA adds to the C library: min and max for both sides, a few functions on the host, stores with cache
 * hints. */
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

#endif
