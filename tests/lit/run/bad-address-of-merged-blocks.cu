// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bad address in blocks that run as one row: the message names the first and the last of them.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_CPU_WORKERS=1 GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: grep -F "wild(int*): blocks (0,0,0) to (7,0,0): illegal access to address 0x100: " %t.err
#include "run.h"

__global__ void wild(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main() {
  wild<<<64, 32>>>((int *)0x100);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  // CHECK: cudaErrorIllegalAddress
  return 0;
}
