// Unsupported code is a warning at compile time, and an error with
// its line when a kernel reaches it; a kernel not reaching it runs.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link 2>%t.compile
// RUN: grep -E 'unsupported-instruction.cu:[0-9]+:[0-9]+: warning: the CPU device cannot run inline asm "txq' %t.compile
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: grep -E 'maybe.*unsupported-instruction.cu:[0-9]+: the CPU device cannot run inline asm' %t.err
// CHECK: all right
#include "lanes.h"

__global__ void maybe(float *p, int yes) {
  p[0] = 7;
  if (yes)
    asm volatile("txq.num_mipmap_levels.b32 %0, [%1];" : "=f"(p[0]) : "l"(0ll));
}

int main() {
  Values<float, 4> p;
  maybe<<<1, 1>>>(p.device, 0);
  p.read();
  EXPECT(p.host[0] == 7);
  maybe<<<1, 1>>>(p.device, 1);
  EXPECT(cudaDeviceSynchronize() == cudaErrorNotSupported);
  return finish();
}
