// Both sides of a branch shuffle among themselves, each with its own mask.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void shuffle(int *out) {
  int lane = lane_id();
  if (lane % 2)
    out[lane] = __shfl_sync(0xaaaaaaaau, lane, (lane + 2) % 32);
  else
    out[lane] = __shfl_sync(0x55555555u, 100 + lane, (lane + 4) % 32);
}

int main() {
  Values<int, 32> out;
  shuffle<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == (i % 2 ? (i + 2) % 32 : 100 + (i + 4) % 32));
  return finish();
}
