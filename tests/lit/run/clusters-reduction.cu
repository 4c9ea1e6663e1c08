// Blocks of a cluster, of the size in the source, read one another's sums in shared
// memory through plain pointers: bytes of shared memory, of the reading region.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json reduce launches=1 threads=1024 bytes.global.load=4096 bytes.global.store=32
// RUN: %py %S/Inputs/kernel_has.py %t.json region:gather bytes.shared.load=128 flops.fp32.add=32 bytes.global.load=0
// CHECK: all right
#include "clusters.h"

enum { Size = 4, Threads = 64, Blocks = 16 };

__global__ void __cluster_dims__(Size, 1, 1) reduce(const float *values, float *sums) {
  __shared__ float partial[Threads];
  __shared__ float sum;
  partial[threadIdx.x] = values[blockIdx.x * Threads + threadIdx.x];
  for (int stride = Threads / 2; stride; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride)
      partial[threadIdx.x] += partial[threadIdx.x + stride];
  }
  if (threadIdx.x == 0)
    sum = partial[0];
  cluster_sync();
  if (threadIdx.x == 0 && cluster_rank() < 2) {
    float all = 0;
#pragma gpuprof region("gather")
    for (unsigned rank = 0; rank < Size; rank++)
      all += *pointer_of(&sum, rank);
    sums[blockIdx.x / Size * 2 + cluster_rank()] = all;
  }
  cluster_sync();
}

int main() {
  Values<float, Blocks * Threads> values;
  Values<float, Blocks / Size * 2> sums;
  for (int i = 0; i < Blocks * Threads; i++)
    values.host[i] = i % 17;
  values.write();
  reduce<<<Blocks, Threads>>>(values.device, sums.device);
  sums.read();
  for (int c = 0; c < Blocks / Size; c++) {
    float expected = 0;
    for (int i = 0; i < Size * Threads; i++)
      expected += values.host[c * Size * Threads + i];
    EXPECT(sums.host[2 * c] == expected && sums.host[2 * c + 1] == expected);
  }
  return finish();
}
