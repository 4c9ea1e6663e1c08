// Several static shared arrays of different types and alignments do not overlap, and each block has its own.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void fill(int *out) {
  __shared__ char c[3];
  __shared__ double d[5];
  __shared__ short s;
  __shared__ __align__(32) float f[32];
  int t = threadIdx.x;
  if (t < 3)
    c[t] = 1 + blockIdx.x;
  if (t < 5)
    d[t] = 10 * (1 + blockIdx.x);
  if (t == 0)
    s = 100 * (1 + blockIdx.x);
  f[t] = 1000.0f * (1 + blockIdx.x);
  __syncthreads();
  bool aligned = (size_t)d % 8 == 0 && (size_t)f % 32 == 0;
  out[blockIdx.x * 32 + t] = aligned ? (int)(c[t % 3] + d[t % 5] + s + f[31 - t]) : -1;
}

int main() {
  Values<int, 128> out;
  fill<<<4, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 128; i++)
    EXPECT(out.host[i] == 1111 * (1 + i / 32));
  return finish();
}
