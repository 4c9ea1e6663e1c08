// Named barriers: two consuming warps and two producing ones, which come later, meet at barriers of 64 threads.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

static __device__ void meet(int id) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(64) : "memory"); }
__global__ void pairs(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x, pair = t / 32 % 2;
  if (t >= 64)
    s[t - 64] = 3 * (t - 64);
  meet(1 + pair);
  if (t < 64)
    out[t] = s[pair * 32 + 31 - t % 32];
}

int main() {
  Values<int, 64> out;
  pairs<<<1, 128>>>(out.device);
  out.read();
  for (int i = 0; i < 64; i++)
    EXPECT(out.host[i] == 3 * (i / 32 * 32 + 31 - i % 32));
  return finish();
}
