// Loops left by threads by break, continue and return in different iterations; FLOPs are those of each thread's own path.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json run flops.fp32.add=528
// CHECK: all right
#include "lanes.h"

__global__ void run(float *out) {
  float sum = 0;
  for (int i = 0; i < 100; i++) {
    if (i > (int)threadIdx.x)
      break;
    sum += (float)i;
  }
  if (sum < 0)
    return;
  out[threadIdx.x] = sum;
}

int main() {
  Values<float, 32> out;
  run<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == i * (i + 1) / 2);
  return finish();
}
