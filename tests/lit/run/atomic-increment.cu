// atomicInc wraps to 0 beyond its limit.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void increment(unsigned *u, unsigned *beyond) {
  atomicInc(u, 6);
  if (threadIdx.x == 0)
    atomicInc(beyond, 6);
}

int main() {
  Values<unsigned, 1> u, beyond;
  beyond.host[0] = 9;
  beyond.write();
  increment<<<1, 100>>>(u.device, beyond.device);
  u.read(), beyond.read();
  EXPECT(u.host[0] == 100 % 7 && beyond.host[0] == 0);
  return finish();
}
