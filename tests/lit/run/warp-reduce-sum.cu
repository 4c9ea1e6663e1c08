// __reduce_add_sync adds up the lanes of the mask, unsigned and signed, and wraps.
// REQUIRES: llvm-at-least-17
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void reduce(unsigned *u, int *s) {
  int lane = lane_id();
  u[lane] = __reduce_add_sync(~0u, 0x10000000u + lane);
  if (lane >= 24)
    s[lane] = __reduce_add_sync(0xff000000u, -lane);
}

int main() {
  Values<unsigned, 32> u;
  Values<int, 32> s;
  reduce<<<1, 32>>>(u.device, s.device);
  u.read(), s.read();
  for (int i = 0; i < 32; i++) {
    EXPECT(u.host[i] == 496);
    EXPECT(s.host[i] == (i >= 24 ? -220 : 0));
  }
  return finish();
}
