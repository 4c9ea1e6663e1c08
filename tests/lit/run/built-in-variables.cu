// threadIdx, blockIdx, blockDim and gridDim in three dimensions, and warpSize.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void number(int *out) {
  int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int t = block * blockDim.x * blockDim.y * blockDim.z + thread;
  out[t] = t + 1 + (warpSize - 32);
}

int main() {
  Values<int, 2 * 3 * 2 * 5 * 2 * 3> out;
  number<<<dim3(2, 3, 2), dim3(5, 2, 3)>>>(out.device);
  out.read();
  for (int i = 0; i < 360; i++)
    EXPECT(out.host[i] == i + 1);
  return finish();
}
