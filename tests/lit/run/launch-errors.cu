// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

__global__ void __launch_bounds__(128) bounded(int *p) { p[threadIdx.x] = 1; }
__global__ void dynamic(int *p) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = s[31 - threadIdx.x];
}

int main() {
  int *p, host[32];
  OK(cudaMalloc(&p, 2048 * sizeof(int)));
  bounded<<<1, 1025>>>(p);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  bounded<<<1, 256>>>(p);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  bounded<<<0, 1>>>(p);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  dynamic<<<1, 32, 100 * 1024>>>(p);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  OK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024));
  dynamic<<<1, 32, 100 * 1024>>>(p);
  OK(cudaGetLastError());
  to_host(host, p, 32);
  EXPECT(host[5] == 26);
  EXPECT(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 300 * 1024) == cudaErrorInvalidValue);
  EXPECT(cudaLaunchKernel((const void *)&host, dim3(1), dim3(1), nullptr, 0, 0) == cudaErrorInvalidResourceHandle);
  return finish();
}
