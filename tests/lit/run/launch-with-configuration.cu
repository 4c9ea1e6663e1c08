// cudaLaunchKernelEx and cudaLaunchKernelExC with dynamic shared memory.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void reverse(int *p, int n) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = s[n - 1 - threadIdx.x];
}

int main() {
  Values<int, 40> a, b;
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(1), configuration.blockDim = dim3(40),
  configuration.dynamicSmemBytes = 40 * sizeof(int);
  OK(cudaLaunchKernelEx(&configuration, reverse, a.device, 40));
  int n = 40;
  void *arguments[] = {&b.device, &n};
  OK(cudaLaunchKernelExC(&configuration, (const void *)reverse, arguments));
  a.read(), b.read();
  for (int i = 0; i < 40; i++)
    EXPECT(a.host[i] == 39 - i && b.host[i] == 39 - i);
  return finish();
}
