// A device function that is not inlined knows its thread, also in kernels run as a loop over threads.
// RUN: %clangxx -fplugin=%plugin %minicuda -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: 64 of 64 right
#include <stdio.h>

__device__ __attribute__((noinline)) int identity() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void number(int *numbers) {
  numbers[blockIdx.x * blockDim.x + threadIdx.x] = identity() + 1;
}

int main() {
  int *numbers, right = 0, host[64];
  cudaMalloc(&numbers, sizeof host);
  number<<<2, 32>>>(numbers);
  cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i)
    right += host[i] == i + 1;
  printf("%d of 64 right\n", right);
}
