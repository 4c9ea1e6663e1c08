// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: grep -E 'gpuprof: error: .*wild.*illegal access to address' %t.err
#include "run.h"

__global__ void wild(int *p) { p[threadIdx.x] = 1; }

int main() {
  wild<<<1, 32>>>((int *)0x100);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  // CHECK: cudaErrorIllegalAddress
  return 0;
}
