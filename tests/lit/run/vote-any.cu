// __any_sync holds where one lane of the mask says so.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void vote(int *out) {
  int lane = lane_id();
  out[lane] = __any_sync(~0u, lane == 30) + 2 * __any_sync(~0u, lane > 31);
  if (lane < 8)
    out[lane] += 4 * __any_sync(0xffu, lane == 7) + 8 * __any_sync(0xffu, lane == 8);
}

int main() {
  Values<int, 32> out;
  vote<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == (i < 8 ? 5 : 1));
  return finish();
}
