// Memory of the program's own that is registered can be used by kernels.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

__global__ void fill(int *p) { p[threadIdx.x] = 5 * threadIdx.x; }

int main() {
  static int host[1024];
  int *mapped;
  OK(cudaHostRegister(host, sizeof host, cudaHostRegisterMapped));
  EXPECT(cudaHostRegister(nullptr, 4, cudaHostRegisterMapped) == cudaErrorInvalidValue);
  OK(cudaHostGetDevicePointer(&mapped, host, 0));
  fill<<<1, 32>>>(mapped);
  OK(cudaDeviceSynchronize());
  EXPECT(host[31] == 155);
  OK(cudaHostUnregister(host));
  return finish();
}
