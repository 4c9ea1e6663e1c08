// __match_all_sync gives the mask and true where all values agree, else 0 and false.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void match(unsigned *out, int *agreed) {
  int lane = lane_id(), yes = -1, no = -1, half = -1;
  unsigned a = __match_all_sync(~0u, 42, &yes), b = __match_all_sync(~0u, lane / 31, &no), c = 0;
  if (lane < 16)
    c = __match_all_sync(0xffffu, (unsigned long long)(lane / 16) << 33, &half);
  out[lane] = (a == ~0u) + 2 * (b == 0) + 4 * (c == 0xffffu);
  agreed[lane] = yes + 2 * no + 4 * (half == 1);
}

int main() {
  Values<unsigned, 32> out;
  Values<int, 32> agreed;
  match<<<1, 32>>>(out.device, agreed.device);
  out.read(), agreed.read();
  for (int i = 0; i < 32; i++) {
    EXPECT(out.host[i] == (i < 16 ? 7u : 3u));
    EXPECT(agreed.host[i] == (i < 16 ? 5 : 1));
  }
  return finish();
}
