// More functions of gpuprof's own header: within a few units in the last place of the exact value, right at the ends of
// their domains, and with as many operations of each kind as NVIDIA's library has. Older optimizers contract other sums of
// the longest functions.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
// RUN: %py %S/Inputs/kernel_has.py %t.json count_expm1f threads=32 flops.fp32.add=96 flops.fp32.mul=64 flops.fp32.fma=512 special_functions=32 compares=160 conversions=32 integer_ops=0
// RUN: %py %S/Inputs/kernel_has.py %t.json count_log1pf flops.fp32.add=64 flops.fp32.mul=64 flops.fp32.fma=768 special_functions=0 compares=96 conversions=32 integer_ops=128
// RUN: %py %S/Inputs/kernel_has.py %t.json count_sinhf flops.fp32.add=32 flops.fp32.mul=160 flops.fp32.fma=448 flops.fp32.div=32 special_functions=32
// RUN: %py %S/Inputs/kernel_has.py %t.json count_tanf flops.fp32.mul=96 flops.fp32.fma=576
// RUN: %py %S/Inputs/kernel_has.py %t.json count_asinf flops.fp32.mul=160 flops.fp32.fma=576 special_functions=32 compares=96
// RUN: %py %S/Inputs/kernel_has.py %t.json count_atanf flops.fp32.mul=64 flops.fp32.fma=576 compares=64
// RUN: %if llvm-at-least-19 %{ %py %S/Inputs/kernel_has.py %t.json count_erfcf flops.fp32.add=192 flops.fp32.mul=256 flops.fp32.fma=1280 special_functions=96 %}
// RUN: %if llvm-at-least-19 %{ %py %S/Inputs/kernel_has.py %t.json count_powf flops.fp32.add=256 flops.fp32.mul=384 flops.fp32.fma=1344 special_functions=32 compares=448 integer_ops=192 %}
// RUN: %py %S/Inputs/kernel_has.py %t.json count_atan2f flops.fp32.add=32 flops.fp32.mul=64 flops.fp32.fma=576 flops.fp32.div=32 compares=192
// RUN: %py %S/Inputs/kernel_has.py %t.json count_exp flops.fp64.add=32 flops.fp64.fma=896 special_functions=0 compares=32 integer_ops=64
// RUN: %py %S/Inputs/kernel_has.py %t.json count_log flops.fp64.add=224 flops.fp64.mul=160 flops.fp64.fma=1024 special_functions=32 compares=96 integer_ops=256
// RUN: %py %S/Inputs/kernel_has.py %t.json count_sin flops.fp64.add=32 flops.fp64.mul=64 flops.fp64.fma=704 bytes.global.load=1792 special_functions=0
// RUN: %if llvm-at-least-19 %{ %py %S/Inputs/kernel_has.py %t.json count_pow flops.fp64.add=928 flops.fp64.mul=288 flops.fp64.fma=2688 special_functions=32 integer_ops=576 %}
// Far angles are counted as a special function, and listed.
// RUN: %FileCheck --check-prefix=FAR %s < %t.json
// FAR: call of llvm.sin.f64
#include "run.h"

#include <algorithm>
#include <cmath>

#define FLOATS(X)                                                                                                        \
  X(expm1f, expm1l, -20, 88, 4) X(log1pf, log1pl, -0.99, 1000, 4) X(sinhf, sinhl, -80, 80, 4)                            \
  X(coshf, coshl, -80, 80, 4) X(asinhf, asinhl, -1000, 1000, 4) X(acoshf, acoshl, 1.01, 1000, 4)                         \
  X(atanhf, atanhl, -0.99, 0.99, 4) X(tanf, tanl, -100, 100, 4) X(asinf, asinl, -1, 1, 4) X(acosf, acosl, -1, 1, 4)      \
  X(atanf, atanl, -9, 9, 4) X(erfcf, erfcl, -4, 9, 5) X(cbrtf, cbrtl, -99, 99, 4) X(roundf, roundl, -9, 9, 0)
#define DOUBLES(X)                                                                                                       \
  X(exp, expl, -700, 700, 2) X(exp2, exp2l, -1000, 1000, 3) X(exp10, exp10l, -300, 300, 3) X(log, logl, 1e-9, 3, 2)      \
  X(log2, log2l, 1e-9, 3, 3) X(log10, log10l, 1e-9, 3, 3) X(sin, sinl, -1000, 1000, 2) X(cos, cosl, -1000, 1000, 2)      \
  X(tanh, tanhl, -22, 22, 3)
#define FLOAT_PAIRS(X) X(powf, powl, 0.01, 9, -9, 9, 4) X(atan2f, atan2l, -9, 9, -9, 9, 4) X(hypotf, hypotl, -9, 9, -9, 9, 4)
#define DOUBLE_PAIRS(X) X(pow, powl, 0.01, 99, -99, 99, 2)

constexpr int Count = 1 << 13, Rows = 64;
__device__ double spread(int i, int count, double first, double last) { return first + (last - first) * i / count; }
#define KERNELS(name, exact, first, last, units, type)                                                                   \
  __global__ void of_##name(type *x, type *y) {                                                                          \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                 \
    y[i] = name(x[i] = (type)spread(i, Count, first, last));                                                             \
  }                                                                                                                      \
  __global__ void at_##name(const type *x, type *y) { y[threadIdx.x] = name(x[threadIdx.x]); }                           \
  __global__ void count_##name(type *x) { x[threadIdx.x] = name(x[threadIdx.x]); }
#define KERNELS_OF_PAIR(name, exact, first, last, from, to, units, type)                                                 \
  __global__ void of_##name(type *x, type *y, type *z) {                                                                 \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                 \
    z[i] = name(x[i] = (type)spread(i / Rows, Count / Rows, first, last), y[i] = (type)spread(i % Rows, Rows, from, to)); \
  }                                                                                                                      \
  __global__ void at_##name(const type *x, const type *y, type *z) {                                                     \
    z[threadIdx.x] = name(x[threadIdx.x], y[threadIdx.x]);                                                               \
  }                                                                                                                      \
  __global__ void count_##name(type *x) { x[threadIdx.x] = name(x[threadIdx.x], x[threadIdx.x + 32]); }
#define KERNELS_F(name, exact, first, last, units) KERNELS(name, exact, first, last, units, float)
#define KERNELS_D(name, exact, first, last, units) KERNELS(name, exact, first, last, units, double)
#define KERNELS_FF(name, exact, first, last, from, to, units) KERNELS_OF_PAIR(name, exact, first, last, from, to, units, float)
#define KERNELS_DD(name, exact, first, last, from, to, units) KERNELS_OF_PAIR(name, exact, first, last, from, to, units, double)
FLOATS(KERNELS_F)
DOUBLES(KERNELS_D)
FLOAT_PAIRS(KERNELS_FF)
DOUBLE_PAIRS(KERNELS_DD)

__global__ void both_of(const float *x, float *sine, float *cosine, const double *dx, double *dsine, double *dcosine) {
  const int i = threadIdx.x;
  sincosf(x[i], &sine[i], &cosine[i]);
  sincos(dx[i], &dsine[i], &dcosine[i]);
}
__global__ void far(double *x) { x[threadIdx.x] = sin(x[threadIdx.x]); }

template <typename T> struct Digits;
template <> struct Digits<float> { static constexpr int Bits = 23, Least = -126; };
template <> struct Digits<double> { static constexpr int Bits = 52, Least = -1022; };
// Distance from the exact value in units in the last place; for subnormals, of the least normal number.
template <typename T> long double units_off(T y, long double exact) {
  const int exponent = exact == 0 ? Digits<T>::Least : std::max((int)floorl(log2l(fabsl(exact))), Digits<T>::Least);
  return fabsl(y - exact) / ldexpl(1, exponent - Digits<T>::Bits);
}
template <typename T> bool same(T y, long double exact) {
  const T right = (T)exact;
  if (std::isnan(right) || std::isnan(y))
    return std::isnan(right) && std::isnan(y);
  return (y == right && std::signbit(y) == std::signbit(right)) || (right != 0 && units_off(y, exact) <= 4);
}

static const double ends[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 0.5, -2, 3, -3, 1e-30, 200, -800, 1e30, -0.5,
                              0x1.0000000000001p+116}; // even, though its last bit is set
constexpr int Ends = sizeof ends / sizeof *ends;

int main() {
  double *memory;
  cudaMallocManaged(&memory, 3 * Count * sizeof *memory);
#define TRY(name, exact, first, last, units, type)                                                                       \
  {                                                                                                                      \
    type *x = (type *)memory, *y = x + Count;                                                                            \
    of_##name<<<Count / 128, 128>>>(x, y);                                                                               \
    EXPECT(!cudaDeviceSynchronize());                                                                                    \
    long double worst = 0, at = 0;                                                                                       \
    for (int i = 0; i < Count; ++i) {                                                                                    \
      const long double off = units_off(y[i], exact((long double)x[i]));                                                 \
      if (off > worst)                                                                                                   \
        worst = off, at = x[i];                                                                                          \
    }                                                                                                                    \
    printf(#name ": %.2Lf units at %.17Lg\n", worst, at);                                                                \
    EXPECT(worst <= units);                                                                                              \
    for (int i = 0; i < Ends; ++i)                                                                                       \
      x[i] = (type)ends[i];                                                                                              \
    at_##name<<<1, Ends>>>(x, y);                                                                                        \
    EXPECT(!cudaDeviceSynchronize());                                                                                    \
    for (int i = 0; i < Ends; ++i)                                                                                       \
      if (!same(y[i], exact((long double)x[i])))                                                                         \
        printf(#name "(%g) is %.17g, not %.17Lg\n", ends[i], (double)y[i], exact((long double)x[i])), ++failures;        \
    for (int i = 0; i < 32; ++i)                                                                                         \
      x[i] = (type)(0.3 + i / 64.0);                                                                                     \
    count_##name<<<1, 32>>>(x);                                                                                          \
    EXPECT(!cudaDeviceSynchronize());                                                                                    \
  }
#define TRY_PAIR(name, exact, units, type)                                                                               \
  {                                                                                                                      \
    type *x = (type *)memory, *y = x + Count, *z = y + Count;                                                            \
    of_##name<<<Count / 128, 128>>>(x, y, z);                                                                            \
    EXPECT(!cudaDeviceSynchronize());                                                                                    \
    long double worst = 0, at = 0, and_at = 0;                                                                           \
    for (int i = 0; i < Count; ++i) {                                                                                    \
      const long double off = units_off(z[i], exact((long double)x[i], (long double)y[i]));                              \
      if (off > worst)                                                                                                   \
        worst = off, at = x[i], and_at = y[i];                                                                           \
    }                                                                                                                    \
    printf(#name ": %.2Lf units at %.17Lg, %.17Lg\n", worst, at, and_at);                                                \
    EXPECT(worst <= units);                                                                                              \
    for (int i = 0; i < Ends * Ends; ++i)                                                                                \
      x[i] = (type)ends[i / Ends], y[i] = (type)ends[i % Ends];                                                          \
    at_##name<<<1, Ends * Ends>>>(x, y, z);                                                                              \
    EXPECT(!cudaDeviceSynchronize());                                                                                    \
    for (int i = 0; i < Ends * Ends; ++i)                                                                                \
      if (!same(z[i], exact((long double)x[i], (long double)y[i])))                                                      \
        printf(#name "(%g, %g) is %.17g, not %.17Lg\n", (double)x[i], (double)y[i], (double)z[i],                        \
               exact((long double)x[i], (long double)y[i])), ++failures;                                                 \
    for (int i = 0; i < 64; ++i)                                                                                         \
      x[i] = (type)(0.3 + i / 64.0);                                                                                     \
    count_##name<<<1, 32>>>(x);                                                                                          \
    EXPECT(!cudaDeviceSynchronize());                                                                                    \
  }
#define TRY_F(name, exact, first, last, units) TRY(name, exact, first, last, units, float)
#define TRY_D(name, exact, first, last, units) TRY(name, exact, first, last, units, double)
#define TRY_FF(name, exact, first, last, from, to, units) TRY_PAIR(name, exact, units, float)
#define TRY_DD(name, exact, first, last, from, to, units) TRY_PAIR(name, exact, units, double)
  FLOATS(TRY_F)
  DOUBLES(TRY_D)
  FLOAT_PAIRS(TRY_FF)
  DOUBLE_PAIRS(TRY_DD)

  float *x = (float *)memory, *sine = x + 64, *cosine = x + 128;
  double *dx = memory + 256, *dsine = dx + 64, *dcosine = dx + 128;
  for (int i = 0; i < 64; ++i)
    dx[i] = x[i] = -7 + 0.25f * i;
  both_of<<<1, 64>>>(x, sine, cosine, dx, dsine, dcosine);
  EXPECT(!cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) {
    EXPECT(same(sine[i], sinl(x[i])) && same(cosine[i], cosl(x[i])));
    EXPECT(same(dsine[i], sinl(dx[i])) && same(dcosine[i], cosl(dx[i])));
  }
  for (int i = 0; i < 32; ++i)
    dx[i] = 1e15 + i;
  far<<<1, 32>>>(dx);
  EXPECT(!cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i)
    EXPECT(same(dx[i], sinl(1e15L + i)));
  return finish();
}
