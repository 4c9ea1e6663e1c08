// __match_any_sync gives each lane the lanes with its value, of 32 and of 64 bits.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void match(unsigned *narrow, unsigned *wide) {
  int lane = lane_id();
  narrow[lane] = __match_any_sync(~0u, lane % 5);
  wide[lane] = __match_any_sync(~0u, (unsigned long long)(lane / 8) << 40);
}

int main() {
  Values<unsigned, 32> narrow, wide;
  match<<<1, 32>>>(narrow.device, wide.device);
  narrow.read(), wide.read();
  for (int i = 0; i < 32; i++) {
    unsigned same = 0;
    for (int j = 0; j < 32; j++)
      same |= (unsigned)(i % 5 == j % 5) << j;
    EXPECT(narrow.host[i] == same);
    EXPECT(wide.host[i] == 0xffu << i / 8 * 8);
  }
  return finish();
}
