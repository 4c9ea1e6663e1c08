// __reduce_min_sync and __reduce_max_sync compare as unsigned or as signed, by their argument's type.
// REQUIRES: llvm-at-least-17
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void reduce(unsigned *u, int *s) {
  int lane = lane_id();
  u[lane] = __reduce_max_sync(~0u, (unsigned)(lane - 3)) - __reduce_min_sync(~0u, (unsigned)(lane - 3));
  s[lane] = 100 * __reduce_max_sync(~0u, lane - 3) + __reduce_min_sync(~0u, lane - 3);
}

int main() {
  Values<unsigned, 32> u;
  Values<int, 32> s;
  reduce<<<1, 32>>>(u.device, s.device);
  u.read(), s.read();
  for (int i = 0; i < 32; i++) {
    EXPECT(u.host[i] == ~0u);
    EXPECT(s.host[i] == 2800 - 3);
  }
  return finish();
}
