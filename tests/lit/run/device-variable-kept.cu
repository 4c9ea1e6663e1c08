// What kernels write into a device variable stays there for the next ones and for the host.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

__device__ int total = 10;
__global__ void add(int n) { atomicAdd(&total, n); }

int main() {
  int host = 0;
  add<<<1, 32>>>(1);
  add<<<2, 32>>>(10);
  OK(cudaMemcpyFromSymbol(&host, total, sizeof host));
  EXPECT(host == 10 + 32 + 640);
  host = -1;
  OK(cudaMemcpyToSymbol(total, &host, sizeof host));
  add<<<1, 1>>>(3);
  OK(cudaMemcpyFromSymbol(&host, total, sizeof host));
  EXPECT(host == 2);
  return finish();
}
