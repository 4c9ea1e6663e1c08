// A GPU executes a product stored and added to a sum twice, as product and as fma: 3
// FLOPs. The CPU device counts the same; without contraction 2 are executed and counted.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json run flops.fp32.add=0 flops.fp32.mul=512 flops.fp32.fma=1024
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 -ffp-contract=off %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json run flops.fp32.add=512 flops.fp32.mul=512 flops.fp32.fma=0
// CHECK: all right
#include "lanes.h"
__global__ void run(float *out, float scale, int n) {
  float sum = 0;
  for (int j = 0; j < n; ++j) {
    float e = scale * out[32 * j + threadIdx.x];
    out[32 * j + threadIdx.x] = e;
    sum += e;
  }
  out[32 * n + threadIdx.x] = sum;
}

int main() {
  Values<float, 32 * 17> out;
  for (float &value : out.host)
    value = 2;
  out.write();
  run<<<1, 32>>>(out.device, 0.5f, 16);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == 1 && out.host[32 * 16 + i] == 16);
  return finish();
}
