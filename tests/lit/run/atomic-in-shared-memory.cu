// A histogram in shared memory, added to global memory: atomics of both memories, counted apart.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json histogram bytes.shared.atomic=4096 bytes.global.atomic=128
// CHECK: all right
#include "lanes.h"

__global__ void histogram(const unsigned char *in, unsigned *bins) {
  __shared__ unsigned s[16];
  if (threadIdx.x < 16)
    s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[in[blockIdx.x * blockDim.x + threadIdx.x] & 15], 1u);
  __syncthreads();
  if (threadIdx.x < 16)
    atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

int main() {
  Values<unsigned char, 1024> in;
  Values<unsigned, 16> bins;
  unsigned expected[16] = {};
  for (int i = 0; i < 1024; i++)
    expected[(in.host[i] = i * i % 251) & 15]++;
  in.write();
  histogram<<<2, 512>>>(in.device, bins.device);
  bins.read();
  for (int i = 0; i < 16; i++)
    EXPECT(bins.host[i] == expected[i]);
  return finish();
}
