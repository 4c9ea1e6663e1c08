// __all_sync holds where every lane of the mask agrees; lanes outside have no vote.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void vote(int *out) {
  int lane = lane_id();
  out[lane] = __all_sync(~0u, lane >= 0) + 2 * __all_sync(~0u, lane != 17);
  if (lane != 17)
    out[lane] += 4 * __all_sync(~0u & ~(1u << 17), lane != 17);
}

int main() {
  Values<int, 32> out;
  vote<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == (i == 17 ? 1 : 5));
  return finish();
}
