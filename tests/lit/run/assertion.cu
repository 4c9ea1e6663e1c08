// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: grep -E 'assertion.cu:[0-9]+: .*assertion .i < 3. failed' %t.err
// RUN: grep -F 'check' %t.err | grep -F 'block (0,0,0)'
#include "run.h"
#include <cassert>

__global__ void check(int n) {
  int i = threadIdx.x;
  assert(i < 3);
}

int main() {
  check<<<1, 8>>>(3);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  check<<<1, 2>>>(3);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  // CHECK: cudaErrorAssert
  // CHECK: cudaErrorAssert
  return 0;
}
