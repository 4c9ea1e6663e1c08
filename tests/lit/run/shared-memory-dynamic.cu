// Dynamic shared memory, cut into two arrays of different types, behind a static one.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

extern __shared__ double memory[];
__global__ void cut(double *out, int n) {
  __shared__ int first;
  double *d = memory;
  int *i = (int *)(d + n), t = threadIdx.x;
  if (t == 0)
    first = 5;
  d[t] = 0.5 * t;
  i[n - 1 - t] = t;
  __syncthreads();
  out[t] = d[n - 1 - t] + i[t] + first;
}

int main() {
  Values<double, 48> out;
  cut<<<1, 48, 48 * (sizeof(double) + sizeof(int))>>>(out.device, 48);
  out.read();
  for (int i = 0; i < 48; i++)
    EXPECT(out.host[i] == 1.5 * (47 - i) + 5);
  return finish();
}
