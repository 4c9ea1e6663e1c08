// Lanes leave a loop at different iterations; those left shuffle with the mask of who remains.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void shuffle(int *out) {
  int lane = lane_id(), sum = 0;
  unsigned mask = ~0u;
  for (int i = 0; i <= lane; i++) {
    mask = ~0u << i;
    sum += __shfl_sync(mask, lane, 31);
  }
  out[lane] = sum;
}

int main() {
  Values<int, 32> out;
  shuffle<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == 31 * (i + 1));
  return finish();
}
