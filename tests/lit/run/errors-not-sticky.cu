// Wrong arguments give an error once, and the device goes on working.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void set(int *p) { *p = 4; }

int main() {
  Values<int, 1> p;
  EXPECT(cudaMemcpy(nullptr, p.device, 4, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess);
  set<<<1, 2000>>>(p.device);
  EXPECT(cudaPeekAtLastError() == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  set<<<1, 1>>>(p.device);
  p.read();
  EXPECT(p.host[0] == 4);
  return finish();
}
