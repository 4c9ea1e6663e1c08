// __ballot_sync: a bit for each lane of the mask whose predicate holds, 0 for lanes outside.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void vote(unsigned *all, unsigned *half) {
  int lane = lane_id();
  all[lane] = __ballot_sync(~0u, lane % 3 == 0);
  if (lane < 16)
    half[lane] = __ballot_sync(0xffffu, lane % 2);
}

int main() {
  Values<unsigned, 32> all, half;
  vote<<<1, 32>>>(all.device, half.device);
  all.read(), half.read();
  for (int i = 0; i < 32; i++) {
    EXPECT(all.host[i] == 0x49249249u);
    EXPECT(half.host[i] == (i < 16 ? 0xaaaau : 0));
  }
  return finish();
}
