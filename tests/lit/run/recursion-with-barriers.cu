// Recursion in which every level has a barrier.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

static __device__ __noinline__ int levels(int depth, int *s) {
  if (depth == 0)
    return s[(threadIdx.x + 1) % blockDim.x];
  s[threadIdx.x] += depth;
  __syncthreads();
  return levels(depth - 1, s) + 1;
}
__global__ void run(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = levels(10, s);
}

int main() {
  Values<int, 64> out;
  run<<<1, 64>>>(out.device);
  out.read();
  for (int i = 0; i < 64; i++)
    EXPECT(out.host[i] == (i + 1) % 64 + 55 + 10);
  return finish();
}
