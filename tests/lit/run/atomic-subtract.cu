// atomicSub of int and unsigned.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void subtract(int *i, unsigned *u) {
  atomicSub(i, 3);
  atomicSub(u, 2u);
}

int main() {
  Values<int, 1> i;
  Values<unsigned, 1> u;
  subtract<<<2, 100>>>(i.device, u.device);
  i.read(), u.read();
  EXPECT(i.host[0] == -600 && u.host[0] == -400u);
  return finish();
}
