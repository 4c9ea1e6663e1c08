// Functions of the device library count alike with gpuprof's own header and with a toolkit's: by any amount, at each level
// of optimisation from -O1 on, and with -ffast-math, which does not reach NVIDIA's library.
// Older optimizers leave more of both: about as many FLOPs.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t.own %link
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t.toolkit %link
// RUN: env GPUPROF_OUTPUT=%t.own.json %t.own | %FileCheck %s
// RUN: env GPUPROF_OUTPUT=%t.toolkit.json %t.toolkit | %FileCheck %s
// RUN: %py %S/Inputs/alike.py %t.own.json %t.toolkit.json 56 %if llvm-at-least-22 %{ %} %else %{ 15 %}
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O3 -ffast-math %s -o %t.own %link
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O3 -ffast-math %s -o %t.toolkit %link
// RUN: env GPUPROF_OUTPUT=%t.own.json %t.own | %FileCheck %s
// RUN: env GPUPROF_OUTPUT=%t.toolkit.json %t.toolkit | %FileCheck %s
// RUN: %py %S/Inputs/alike.py %t.own.json %t.toolkit.json 56 %if llvm-at-least-22 %{ %} %else %{ 15 %}
// Near angles have a branch to the function of far ones, and do not run it.
// RUN: %FileCheck --check-prefix=NEAR %s < %t.own.json
// NEAR-NOT: one special function
// NEAR: "kernels"
// NEAR-NOT: one special function
// CHECK: all right
#include "run.h"

#define FLOAT_1(X)                                                                                                       \
  X(expf) X(exp2f) X(exp10f) X(expm1f) X(logf) X(log2f) X(log10f) X(log1pf) X(sinf) X(cosf) X(tanf) X(asinf) X(acosf)    \
  X(atanf) X(sinhf) X(coshf) X(tanhf) X(asinhf) X(acoshf) X(atanhf) X(erff) X(erfcf) X(normcdff) X(sqrtf) X(rsqrtf)      \
  X(cbrtf) X(rcbrtf) X(roundf) X(rintf) X(floorf)
#define FLOAT_2(X) X(powf) X(atan2f) X(hypotf) X(fdimf) X(fmaxf)
#define DOUBLE_1(X)                                                                                                      \
  X(exp) X(exp2) X(exp10) X(log) X(log2) X(log10) X(sin) X(cos) X(tanh) X(sqrt) X(rsqrt)
#define DOUBLE_2(X) X(pow) X(fmax)

#define KERNEL_1(name, type)                                                                                             \
  __global__ void of_##name(type *x) { x[threadIdx.x] = name(x[threadIdx.x]); }
#define KERNEL_2(name, type)                                                                                             \
  __global__ void of_##name(type *x) { x[threadIdx.x] = name(x[threadIdx.x], x[threadIdx.x + 32]); }
#define FLOAT_KERNEL_1(name) KERNEL_1(name, float)
#define FLOAT_KERNEL_2(name) KERNEL_2(name, float)
#define DOUBLE_KERNEL_1(name) KERNEL_1(name, double)
#define DOUBLE_KERNEL_2(name) KERNEL_2(name, double)
FLOAT_1(FLOAT_KERNEL_1)
FLOAT_2(FLOAT_KERNEL_2)
DOUBLE_1(DOUBLE_KERNEL_1)
DOUBLE_2(DOUBLE_KERNEL_2)

__global__ void of_sincosf(float *x) { sincosf(x[threadIdx.x], &x[threadIdx.x], &x[threadIdx.x + 32]); }
__global__ void of_sincos(double *x) { sincos(x[threadIdx.x], &x[threadIdx.x], &x[threadIdx.x + 32]); }

// As kernels have them: with other work around, which the optimiser joins with that of the library.
__global__ void of_sigmoid(float *x) { x[threadIdx.x] = 1 / (1 + expf(-x[threadIdx.x])); }
__global__ void of_gelu(float *x) { x[threadIdx.x] *= normcdff(x[threadIdx.x]); }
__global__ void of_softplus(float *x) { x[threadIdx.x] = log1pf(expf(x[threadIdx.x])); }
__global__ void of_elu(float *x) { x[threadIdx.x] = x[threadIdx.x] > 0 ? x[threadIdx.x] : expm1f(x[threadIdx.x]); }
__global__ void of_square(float *x) { x[threadIdx.x] = powf(x[threadIdx.x], 2.0f) + powf(x[threadIdx.x], 0.75f); }
__global__ void of_rotation(float *x) {
  const float angle = x[threadIdx.x] * powf(10000, -(float)threadIdx.x / 32);
  x[threadIdx.x] = cosf(angle) * x[threadIdx.x + 32] - sinf(angle) * x[threadIdx.x];
}

int main() {
  double *x;
  cudaMallocManaged(&x, 64 * sizeof *x);
  const double scales[] = {0.017, 0.4, 3.1};
#define RUN_AS(name, type)                                                                                               \
  for (double scale : scales) {                                                                                          \
    for (int i = 0; i < 64; ++i)                                                                                         \
      ((type *)x)[i] = (type)(scale * (i - 20.5));                                                                         \
    of_##name<<<1, 32>>>((type *)x);                                                                                     \
    EXPECT(!cudaDeviceSynchronize());                                                                                    \
  }
#define RUN_FLOAT(name) RUN_AS(name, float)
#define RUN_DOUBLE(name) RUN_AS(name, double)
  FLOAT_1(RUN_FLOAT)
  FLOAT_2(RUN_FLOAT)
  DOUBLE_1(RUN_DOUBLE)
  DOUBLE_2(RUN_DOUBLE)
  RUN_FLOAT(sincosf)
  RUN_DOUBLE(sincos)
  RUN_FLOAT(sigmoid)
  RUN_FLOAT(gelu)
  RUN_FLOAT(softplus)
  RUN_FLOAT(elu)
  RUN_FLOAT(square)
  RUN_FLOAT(rotation)
  return finish();
}
