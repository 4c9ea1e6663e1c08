// Barriers and warps of a block of three dimensions: lanes are numbered with x fastest.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void number(int *out) {
  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int first = __shfl_sync(~0u, t, 0);
  out[t] = __syncthreads_count(first == t / 32 * 32);
}

int main() {
  Values<int, 96> out;
  number<<<1, dim3(4, 6, 4)>>>(out.device);
  out.read();
  for (int i = 0; i < 96; i++)
    EXPECT(out.host[i] == 96);
  return finish();
}
