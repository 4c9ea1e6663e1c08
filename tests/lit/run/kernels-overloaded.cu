// Kernels that differ only in their parameters.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void set(int *p, int v) { *p = v; }
__global__ void set(float *p, float v) { *p = v; }
__global__ void set(int *p, int v, int w) { *p = v * w; }

int main() {
  Values<int, 2> i;
  Values<float, 1> f;
  set<<<1, 1>>>(i.device, 4);
  set<<<1, 1>>>(f.device, 0.5f);
  set<<<1, 1>>>(i.device + 1, 4, 5);
  i.read(), f.read();
  EXPECT(i.host[0] == 4 && f.host[0] == 0.5f && i.host[1] == 20);
  return finish();
}
