// An unsigned index of shared memory that has gone below zero reads what lies before, as addresses of 32 bits do on a GPU.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void backwards(int *values) {
  __shared__ int line[64];
  line[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int *end = line + 64;
  const unsigned i = values[threadIdx.x];
  const int first = end[~i], second = end[i - 64];
  values[threadIdx.x] = first * 100 + second;
}

int main() {
  Values<int, 64> values;
  for (int i = 0; i < 64; i++)
    values.host[i] = i;
  values.write();
  backwards<<<1, 64>>>(values.device);
  values.read();
  for (int i = 0; i < 64; i++)
    EXPECT(values.host[i] == (63 - i) * 100 + i);
  return finish();
}
