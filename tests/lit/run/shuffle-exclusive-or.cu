// __shfl_xor_sync exchanges within segments; a segment may read lower ones but not higher ones.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void shuffle(int *butterfly, int *segments) {
  int lane = lane_id();
  butterfly[lane] = __shfl_xor_sync(~0u, lane, 21);
  segments[lane] = __shfl_xor_sync(~0u, lane, 8, 8);
}

int main() {
  Values<int, 32> butterfly, segments;
  shuffle<<<1, 32>>>(butterfly.device, segments.device);
  butterfly.read(), segments.read();
  for (int i = 0; i < 32; i++) {
    EXPECT(butterfly.host[i] == (i ^ 21));
    EXPECT(segments.host[i] == ((i ^ 8) < i ? i ^ 8 : i));
  }
  return finish();
}
