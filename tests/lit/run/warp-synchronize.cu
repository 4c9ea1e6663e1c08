// __syncwarp orders accesses of shared memory among the lanes it names.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void rotate(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x, lane = lane_id();
  s[t] = t;
  __syncwarp();
  int v = s[t / 32 * 32 + (lane + 1) % 32];
  __syncwarp();
  if (lane < 8) {
    s[t] = 10 * v;
    __syncwarp(0xff);
    v = s[t / 32 * 32 + (lane + 1) % 8];
  }
  out[t] = v;
}

int main() {
  Values<int, 64> out;
  rotate<<<1, 64>>>(out.device);
  out.read();
  for (int i = 0; i < 64; i++) {
    int warp = i / 32 * 32, lane = i % 32;
    EXPECT(out.host[i] == (lane < 8 ? 10 * (warp + (lane + 1) % 8 + 1) : warp + (lane + 1) % 32));
  }
  return finish();
}
