// A bad address ends the launch, not the program: the message names the memory there, and the way to details.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: grep -F "wild(int*): block (0,0,0): illegal access to address 0x100: a null pointer, or an index from one; to be told the source line, compile with -g, the thread, set GPUPROF_SCHEDULE=strict" %t.err
#include "run.h"

__global__ void wild(int *p) { p[threadIdx.x] = 1; }

int main() {
  wild<<<1, 32>>>((int *)0x100);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  // CHECK: cudaErrorIllegalAddress
  return 0;
}
