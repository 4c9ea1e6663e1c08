// The last block to finish, found by an atomic counter after __threadfence(), sees the writes of all others.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void sum(const int *in, int *partial, unsigned *arrived, int *out) {
  __shared__ bool last;
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t == 0) {
    int all = 0;
    for (int i = 0; i < 64; i++)
      all += s[i];
    partial[blockIdx.x] = all;
    __threadfence();
    last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0)
    for (unsigned b = 0; b < gridDim.x; b++)
      *out += ((volatile int *)partial)[b];
}

int main() {
  Values<int, 6400> in;
  Values<int, 100> partial;
  Values<unsigned, 1> arrived;
  Values<int, 1> out;
  for (int i = 0; i < 6400; i++)
    in.host[i] = i;
  in.write();
  sum<<<100, 64>>>(in.device, partial.device, arrived.device, out.device);
  out.read(), arrived.read();
  EXPECT(out.host[0] == 6399 * 3200 && arrived.host[0] == 0);
  return finish();
}
