// Grids of more blocks than workers, in each dimension.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void count(unsigned *n) { atomicAdd(n, 1u); }

int main() {
  Values<unsigned, 1> n;
  count<<<20000, 1>>>(n.device);
  count<<<dim3(1, 5000, 3), 2>>>(n.device);
  n.read();
  EXPECT(n.host[0] == 50000);
  return finish();
}
