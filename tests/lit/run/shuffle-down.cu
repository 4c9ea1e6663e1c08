// __shfl_down_sync: lanes whose source is beyond their segment keep their own value.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void shuffle(int *all, int *segments) {
  int lane = lane_id();
  all[lane] = __shfl_down_sync(~0u, lane, 5);
  segments[lane] = __shfl_down_sync(~0u, lane, 1, 2);
}

int main() {
  Values<int, 32> all, segments;
  shuffle<<<1, 32>>>(all.device, segments.device);
  all.read(), segments.read();
  for (int i = 0; i < 32; i++) {
    EXPECT(all.host[i] == (i + 5 > 31 ? i : i + 5));
    EXPECT(segments.host[i] == (i % 2 ? i : i + 1));
  }
  return finish();
}
