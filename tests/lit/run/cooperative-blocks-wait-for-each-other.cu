// In a cooperative launch blocks may wait for later ones by an atomic counter of their own.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void meet(unsigned *arrived, int *out) {
  __shared__ int seen;
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1u);
    for (int n = 0; n < 100000000 && atomicAdd(arrived, 0u) < gridDim.x; n++)
      ;
    seen = *arrived == gridDim.x;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = seen;
}

int main() {
  Values<unsigned, 1> arrived;
  Values<int, 320> out;
  void *arguments[] = {&arrived.device, &out.device};
  OK(cudaLaunchCooperativeKernel(meet, dim3(10), dim3(32), arguments, 0, 0));
  out.read();
  for (int i = 0; i < 320; i++)
    EXPECT(out.host[i] == 1);
  return finish();
}
