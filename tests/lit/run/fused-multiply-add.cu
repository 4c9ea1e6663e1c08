// fma rounds once: it finds the error of a product, out of reach of a multiplication and an addition.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json run flops.fp32.fma=2 flops.fp64.fma=2 flops.fp32.mul=1 flops.fp64.mul=1
// CHECK: all right
#include "lanes.h"

__global__ void run(float x, double d, float *out, double *wide) {
  *out = __fmaf_rn(x, x, -__fmul_rn(x, x));
  *wide = __fma_rn(d, d, -__dmul_rn(d, d));
}

int main() {
  Values<float, 1> out;
  Values<double, 1> wide;
  float x = 1.0f + 0x1p-12f;
  double d = 1.0 + 0x1p-27;
  run<<<1, 1>>>(x, d, out.device, wide.device);
  out.read(), wide.read();
  EXPECT(out.host[0] == 0x1p-24f && wide.host[0] == 0x1p-54);
  return finish();
}
