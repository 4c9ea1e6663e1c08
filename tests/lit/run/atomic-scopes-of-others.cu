// Increment, decrement and compare-and-swap with a scope.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void scopes(unsigned *u, int *i) {
  atomicInc_block(&u[0], 9), atomicInc_system(&u[1], 9), atomicDec_block(&u[2], 9),
      atomicDec_system(&u[3], 9);
  if (threadIdx.x == 0) {
    i[1] = atomicCAS_block(&i[0], 0, 5);
    i[3] = atomicCAS_system(&i[2], 0, 6);
  }
}

int main() {
  Values<unsigned, 4> u;
  Values<int, 4> i;
  scopes<<<1, 96>>>(u.device, i.device);
  u.read(), i.read();
  EXPECT(u.host[0] == 6 && u.host[1] == 6 && u.host[2] == 4 && u.host[3] == 4);
  EXPECT(i.host[0] == 5 && i.host[1] == 0 && i.host[2] == 6 && i.host[3] == 0);
  return finish();
}
