// __restrict__ and __ldg: loads counted like any others.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json add bytes.global.load=1024 bytes.global.store=512 flops.fp32.add=128
// CHECK: all right
#include "lanes.h"

__global__ void add(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
  int t = threadIdx.x;
  c[t] = __ldg(&a[t]) + b[t];
}

int main() {
  Values<float, 128> a, b, c;
  for (int i = 0; i < 128; i++)
    a.host[i] = i, b.host[i] = 1000;
  a.write(), b.write();
  add<<<1, 128>>>(a.device, b.device, c.device);
  c.read();
  for (int i = 0; i < 128; i++)
    EXPECT(c.host[i] == 1000 + i);
  return finish();
}
