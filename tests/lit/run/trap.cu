// __trap stops the kernel and breaks the context: every following call gives the error.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: grep -F 'trap' %t.err
// CHECK: all right
#include "lanes.h"

__global__ void stop(int *p) {
  if (*p == 0)
    __trap();
}

int main() {
  Values<int, 1> zero;
  stop<<<1, 1>>>(zero.device);
  cudaError_t error = cudaDeviceSynchronize();
  EXPECT(error == cudaErrorLaunchFailure || error == cudaErrorIllegalInstruction);
  EXPECT(cudaGetLastError() == error && cudaGetLastError() == cudaSuccess);
  void *p;
  EXPECT(cudaMalloc(&p, 4) == error);
  return finish();
}
