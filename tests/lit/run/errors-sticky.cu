// A kernel reading a bad address breaks the context for good; a reset mends it.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: grep -F 'bad' %t.err
// CHECK: all right
#include "run.h"

__global__ void bad(int *p) { *p = 4; }
__global__ void good(int *p) { *p = 5; }

int main() {
  bad<<<1, 1>>>((int *)16);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  EXPECT(cudaGetLastError() == cudaErrorIllegalAddress && cudaGetLastError() == cudaSuccess);
  void *p = nullptr;
  EXPECT(cudaMalloc(&p, 4) == cudaErrorIllegalAddress);
  EXPECT(cudaDeviceReset() == cudaSuccess || cudaDeviceReset() == cudaSuccess);
  int *q, host = 0;
  cudaGetLastError();
  OK(cudaMalloc(&q, sizeof host));
  good<<<1, 1>>>(q);
  OK(cudaMemcpy(&host, q, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host == 5);
  return finish();
}
