// atomicDec goes from 0, and from beyond its limit, to the limit.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void decrement(unsigned *u, unsigned *beyond) {
  atomicDec(u, 6);
  if (threadIdx.x == 0)
    atomicDec(beyond, 6);
}

int main() {
  Values<unsigned, 1> u, beyond;
  beyond.host[0] = 9;
  beyond.write();
  decrement<<<1, 100>>>(u.device, beyond.device);
  u.read(), beyond.read();
  EXPECT(u.host[0] == 7 - 100 % 7 && beyond.host[0] == 6);
  return finish();
}
