// The float functions of gpuprof's own header: within a few units in the last place of the exact value, right at the ends of
// their domains, and with as many operations of each kind as NVIDIA's library has.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
// RUN: %py %S/Inputs/kernel_has.py %t.json count_exp threads=32 flops.fp32.add=32 flops.fp32.mul=32 flops.fp32.fma=256 special_functions=32 integer_ops=32 compares=32 conversions=0
// RUN: %py %S/Inputs/kernel_has.py %t.json count_exp10 flops.fp32.add=32 flops.fp32.mul=32 flops.fp32.fma=256 special_functions=32 integer_ops=32 compares=32 conversions=0
// RUN: %py %S/Inputs/kernel_has.py %t.json count_log flops.fp32.add=32 flops.fp32.mul=64 flops.fp32.fma=768 special_functions=0 integer_ops=96 compares=96 conversions=32
// RUN: %py %S/Inputs/kernel_has.py %t.json count_log2 flops.fp32.add=64 flops.fp32.mul=96 flops.fp32.fma=768 special_functions=0 integer_ops=96 compares=96 conversions=32
// RUN: %py %S/Inputs/kernel_has.py %t.json count_log10 flops.fp32.add=32 flops.fp32.mul=96 flops.fp32.fma=768 special_functions=0 integer_ops=96 compares=96 conversions=32
// RUN: %py %S/Inputs/kernel_has.py %t.json count_sin flops.fp32.add=32 flops.fp32.mul=64 flops.fp32.fma=512 special_functions=0 integer_ops=64 compares=96 conversions=64
// RUN: %py %S/Inputs/kernel_has.py %t.json count_cos flops.fp32.add=32 flops.fp32.mul=64 flops.fp32.fma=512 special_functions=0 integer_ops=96 compares=96 conversions=64
// RUN: %py %S/Inputs/kernel_has.py %t.json count_tanh flops.fp32.add=32 flops.fp32.mul=64 flops.fp32.fma=384 special_functions=64 integer_ops=0 compares=64 conversions=0
// RUN: %py %S/Inputs/kernel_has.py %t.json count_erf flops.fp32.add=0 flops.fp32.mul=32 flops.fp32.fma=448 special_functions=0 integer_ops=0 compares=32 conversions=0
// The header's own lack of contraction ends with it.
// RUN: %py %S/Inputs/kernel_has.py %t.json fused flops.fp32.fma=64 flops.total=64
#include "run.h"

#include <cmath>

#define FUNCTIONS(X)                                                                                                     \
  X(exp, -100, 88, 4) X(exp10, -44, 38, 4) X(log, 1e-30f, 1e30f, 4) X(log2, 1e-30f, 4, 4) X(log10, 1e-6f, 1e6f, 4)       \
  X(sin, -100, 100, 4) X(cos, -100, 100, 4) X(tanh, -12, 12, 4) X(erf, -5, 5, 4)

constexpr int Count = 1 << 14;
// From a positive number on, numbers are spread by their logarithms.
__device__ float number(int i, float first, float last) { return first + (last - first) * i / Count; }
#define KERNELS(name, first, last, units)                                                                                \
  __global__ void name##_of(float *x, float *y) {                                                                        \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                 \
    x[i] = first > 0 ? __exp10f(number(i, __log10f(first), __log10f(last))) : number(i, first, last);                    \
    y[i] = name##f(x[i]);                                                                                                \
  }                                                                                                                      \
  __global__ void count_##name(float *x) { x[threadIdx.x] = name##f(x[threadIdx.x]); }                                   \
  __global__ void name##_at_ends(const float *x, float *y) { y[threadIdx.x] = name##f(x[threadIdx.x]); }
FUNCTIONS(KERNELS)
__global__ void fused(float *x) { x[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x + 32] + 3; }

// Distance from the exact value in units in the last place; for subnormals, of the least normal number.
static double units_off(float y, double exact) {
  const double size = fmax(fabs(exact), 0x1p-126);
  return fabs(y - exact) / ldexp(1, (int)floor(log2(size)) - 23);
}

static const float ends[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, -1.0f, 1e-40f, 200.0f, -200.0f, 1e-20f};
constexpr int Ends = sizeof ends / sizeof *ends;

static bool same(float y, double exact) {
  const float right = (float)exact;
  if (std::isnan(right) || std::isnan(y))
    return std::isnan(right) && std::isnan(y);
  return y == right || units_off(y, exact) <= 4 || (fabs(exact) < 0x1p-126 && fabs(y) <= 0x1p-126);
}

int main() {
  float *x, *y;
  cudaMallocManaged(&x, Count * sizeof *x);
  cudaMallocManaged(&y, Count * sizeof *y);
#define TRY(name, first, last, units)                                                                                    \
  {                                                                                                                      \
    name##_of<<<Count / 128, 128>>>(x, y);                                                                               \
    EXPECT(!cudaDeviceSynchronize());                                                                                    \
    double worst = 0, at = 0;                                                                                            \
    for (int i = 0; i < Count; ++i) {                                                                                    \
      const double off = units_off(y[i], name((double)x[i]));                                                   \
      if (off > worst)                                                                                                   \
        worst = off, at = x[i];                                                                                          \
    }                                                                                                                    \
    printf(#name ": %.1f units at %.9g\n", worst, at);                                                                   \
    EXPECT(worst <= units);                                                                                              \
    for (int i = 0; i < Ends; ++i)                                                                                       \
      x[i] = ends[i];                                                                                                    \
    name##_at_ends<<<1, Ends>>>(x, y);                                                                                   \
    EXPECT(!cudaDeviceSynchronize());                                                                                    \
    for (int i = 0; i < Ends; ++i)                                                                                       \
      if (!same(y[i], name((double)ends[i])))                                                                   \
        printf(#name "(%g) is %g, not %g\n", ends[i], y[i], name((double)ends[i])), ++failures;                 \
    for (int i = 0; i < 32; ++i)                                                                                         \
      x[i] = 0.25f + i / 64.0f;                                                                                          \
    count_##name<<<1, 32>>>(x);                                                                                          \
    EXPECT(!cudaDeviceSynchronize());                                                                                    \
  }
  FUNCTIONS(TRY)
  fused<<<1, 32>>>(x);
  EXPECT(!cudaDeviceSynchronize());
  return finish();
}
