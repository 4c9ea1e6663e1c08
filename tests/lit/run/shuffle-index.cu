// __shfl_sync reads the named lane of each segment; lane numbers wrap within the width.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void shuffle(int *all, int *segments, int *wrapped) {
  int lane = lane_id();
  all[lane] = __shfl_sync(~0u, 100 + lane, 7);
  segments[lane] = __shfl_sync(~0u, 100 + lane, 3, 8);
  wrapped[lane] = __shfl_sync(~0u, 100 + lane, lane + 5, 16);
}

int main() {
  Values<int, 32> all, segments, wrapped;
  shuffle<<<1, 32>>>(all.device, segments.device, wrapped.device);
  all.read(), segments.read(), wrapped.read();
  for (int i = 0; i < 32; i++) {
    EXPECT(all.host[i] == 107);
    EXPECT(segments.host[i] == 100 + i / 8 * 8 + 3);
    EXPECT(wrapped.host[i] == 100 + i / 16 * 16 + (i + 5) % 16);
  }
  return finish();
}
