// Pinned host memory is seen by kernels under the address that the device has for it.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

__global__ void fill(int *p) { p[threadIdx.x] = 3 * threadIdx.x; }

int main() {
  int *host, *mapped;
  OK(cudaHostAlloc(&host, 32 * sizeof(int), cudaHostAllocMapped));
  OK(cudaHostGetDevicePointer(&mapped, host, 0));
  fill<<<1, 32>>>(mapped);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; i++)
    EXPECT(host[i] == 3 * i);
  OK(cudaFreeHost(host));
  return finish();
}
