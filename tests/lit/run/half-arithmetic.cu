// __half and __half2: arithmetic is rounded to half precision; its FLOPs are counted as fp16.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json run flops.fp16.add=96 flops.fp16.mul=96 flops.fp16.fma=128
// CHECK: all right
#include "lanes.h"
#include <cuda_fp16.h>
__global__ void run(float *out) {
  __half a = __float2half(1.5f + threadIdx.x), b = __float2half(0.25f);
  __half2 p = __halves2half2(a, b), q = __float2half2_rn(2.0f);
  float *o = out + 5 * threadIdx.x;
  o[0] = __half2float(__hadd(a, b)), o[1] = __half2float(__hmul(a, a));
  __half2 sum = __hadd2(p, q), product = __hmul2(p, q), fused = __hfma2(p, q, q);
  o[2] = __low2float(sum) + __high2float(sum), o[3] = __low2float(product) * __high2float(product),
  o[4] = __low2float(fused) - __high2float(fused);
}

int main() {
  Values<float, 160> out;
  run<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++) {
    float a = 1.5f + i, *o = out.host + 5 * i;
    EXPECT(o[0] == a + 0.25f && std::fabs(o[1] - a * a) <= a * a / 2048 && o[2] == a + 4.25f && o[3] == a &&
           o[4] == 2 * a - 0.5f);
  }
  return finish();
}
