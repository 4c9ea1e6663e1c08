// __activemask names the lanes that are at it together.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void mask(unsigned *out) {
  int lane = lane_id();
  unsigned all = __activemask(), some = 0;
  if (lane % 4 == 1)
    some = __activemask();
  out[2 * lane] = all;
  out[2 * lane + 1] = some;
}

int main() {
  Values<unsigned, 64> out;
  mask<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++) {
    EXPECT(out.host[2 * i] == ~0u);
    EXPECT(out.host[2 * i + 1] == (i % 4 == 1 ? 0x22222222u : 0));
  }
  return finish();
}
