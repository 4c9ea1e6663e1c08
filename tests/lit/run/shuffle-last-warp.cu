// The last warp of a block may have fewer lanes; a mask of those that exist works.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void sum(int *out) {
  int lane = lane_id();
  unsigned mask = threadIdx.x < 32 ? ~0u : 0xffu;
  int v = lane + 1;
  for (int offset = threadIdx.x < 32 ? 16 : 4; offset; offset /= 2)
    v += __shfl_xor_sync(mask, v, offset);
  out[threadIdx.x] = v;
}

int main() {
  Values<int, 40> out;
  sum<<<1, 40>>>(out.device);
  out.read();
  for (int i = 0; i < 40; i++)
    EXPECT(out.host[i] == (i < 32 ? 32 * 33 / 2 : 8 * 9 / 2));
  return finish();
}
