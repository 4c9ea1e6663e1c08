// __shfl_up_sync: lanes below the distance in their segment keep their own value.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void shuffle(int *all, int *segments) {
  int lane = lane_id();
  all[lane] = __shfl_up_sync(~0u, lane, 3);
  segments[lane] = __shfl_up_sync(~0u, lane, 2, 4);
}

int main() {
  Values<int, 32> all, segments;
  shuffle<<<1, 32>>>(all.device, segments.device);
  all.read(), segments.read();
  for (int i = 0; i < 32; i++) {
    EXPECT(all.host[i] == (i < 3 ? i : i - 3));
    EXPECT(segments.host[i] == (i % 4 < 2 ? i : i - 2));
  }
  return finish();
}
