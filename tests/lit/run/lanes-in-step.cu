// Lanes exchanging values through volatile shared memory without __syncwarp() go in step, as programs from before Volta expect.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=fibers %minicuda -I%S/Inputs -O2 %s -o %t.fibers %link
// RUN: env GPUPROF_OUTPUT=%t.json %t.fibers | %FileCheck %s
// CHECK: all right
#include "lanes.h"

/* The end of a reduction: one warp, no branches. */
__device__ void reduce(volatile int *sum, int lane) {
  sum[lane] += sum[lane + 32];
  sum[lane] += sum[lane + 16];
  sum[lane] += sum[lane + 8];
  sum[lane] += sum[lane + 4];
  sum[lane] += sum[lane + 2];
  sum[lane] += sum[lane + 1];
}

__global__ void sums(int *out) {
  __shared__ int sum[128];
  sum[threadIdx.x] = threadIdx.x * threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 32)
    reduce(sum, threadIdx.x);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum[0];
}

/* An inclusive scan of each warp: fewer lanes take part in each turn of a loop. */
__global__ void scans(int *out) {
  __shared__ volatile int value[64];
  const int lane = threadIdx.x % 32;
  value[threadIdx.x] = threadIdx.x + 1;
  for (int distance = 1; distance < 32; distance *= 2)
    if (lane >= distance)
      value[threadIdx.x] += value[threadIdx.x - distance];
  out[threadIdx.x] = value[threadIdx.x];
}

int main() {
  Values<int, 3> sum;
  Values<int, 64> scan;
  sums<<<3, 64>>>(sum.device);
  scans<<<1, 64>>>(scan.device);
  sum.read(), scan.read();
  for (int i = 0; i < 3; i++)
    EXPECT(sum.host[i] == 63 * 64 * 127 / 6);
  for (int i = 0, running = 0; i < 64; i++) {
    running = (i % 32 ? running : 0) + i + 1;
    EXPECT(scan.host[i] == running);
  }
  return finish();
}
