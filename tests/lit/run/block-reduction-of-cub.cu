// cub::BlockReduce and cub::BlockScan.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 --cuda-gpu-arch=sm_80 -std=c++17 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
__global__ void run(int *sum, int *scan) {
  using Reduce = cub::BlockReduce<int, 64>;
  using Scan = cub::BlockScan<int, 64>;
  __shared__ typename Reduce::TempStorage a;
  __shared__ typename Scan::TempStorage b;
  int total = Reduce(a).Sum((int)threadIdx.x), prefix;
  Scan(b).InclusiveSum((int)threadIdx.x, prefix);
  if (threadIdx.x == 0)
    *sum = total;
  scan[threadIdx.x] = prefix;
}

int main() {
  Values<int, 1> sum;
  Values<int, 64> scan;
  run<<<1, 64>>>(sum.device, scan.device);
  sum.read(), scan.read();
  EXPECT(sum.host[0] == 2016);
  for (int i = 0; i < 64; i++)
    EXPECT(scan.host[i] == i * (i + 1) / 2);
  return finish();
}
