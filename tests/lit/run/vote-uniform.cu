// __uni_sync holds where all lanes say yes, or all say no.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void vote(int *out) {
  int lane = lane_id();
  out[lane] = __uni_sync(~0u, lane < 32) + 2 * __uni_sync(~0u, lane > 31) + 4 * __uni_sync(~0u, lane < 31);
}

int main() {
  Values<int, 32> out;
  vote<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == 3);
  return finish();
}
