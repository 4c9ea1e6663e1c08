// A static shared variable inside a device function is one for the block, whoever calls it.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

static __device__ int *scratch() {
  __shared__ int s[32];
  return s;
}
static __device__ __noinline__ void put(int v) { scratch()[threadIdx.x] = v; }
__global__ void run(int *out) {
  put(3 * threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = scratch()[31 - threadIdx.x];
}

int main() {
  Values<int, 32> out;
  run<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == 3 * (31 - i));
  return finish();
}
