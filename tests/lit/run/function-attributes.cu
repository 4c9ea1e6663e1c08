// cudaFuncGetAttributes tells static shared memory and launch bounds.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

__global__ void __launch_bounds__(192) shared(int *p) {
  __shared__ int s[300];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = s[191 - threadIdx.x];
}
__global__ void plain() {}

int main() {
  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, shared));
  EXPECT(attributes.sharedSizeBytes == 1200 && attributes.maxThreadsPerBlock == 192);
  OK(cudaFuncGetAttributes(&attributes, plain));
  EXPECT(attributes.sharedSizeBytes == 0 && attributes.maxThreadsPerBlock == 1024);
  return finish();
}
