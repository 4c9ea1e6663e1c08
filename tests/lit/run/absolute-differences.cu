// __sad and __usad: |a - b| + c.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void differ(unsigned *out) {
  int t = threadIdx.x;
  out[2 * t] = __sad(t - 4, 4 - t, 10u);
  out[2 * t + 1] = __usad((unsigned)t, 0xfffffff0u, 1u);
}

int main() {
  Values<unsigned, 16> out;
  differ<<<1, 8>>>(out.device);
  out.read();
  for (int t = 0; t < 8; t++) {
    int difference = 2 * t - 8;
    EXPECT(out.host[2 * t] == 10u + (difference < 0 ? -difference : difference));
    EXPECT(out.host[2 * t + 1] == 0xfffffff0u - t + 1);
  }
  return finish();
}
