// A cooperative launch in clusters: barriers of the cluster and of the grid by turns.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -D_CG_LIMIT_INCLUDED_DEPENDENCIES -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "clusters.h"
#include <cooperative_groups.h>

enum { Size = 4, Blocks = 32, Threads = 32, Rounds = 4 };

__global__ void run(int *a) {
  __shared__ int values[Threads];
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const unsigned rank = cluster_rank(), n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < Rounds; r++) {
    values[threadIdx.x] = a[(i + Threads * Size) % n];
    cluster_sync();
    const int value = *pointer_of(&values[threadIdx.x], (rank + 1) % Size);
    grid.sync();
    a[i] = value + 1;
    grid.sync();
  }
}

int main() {
  Values<int, Blocks * Threads> a;
  int expected[Blocks * Threads], next[Blocks * Threads];
  for (int i = 0; i < Blocks * Threads; i++)
    expected[i] = a.host[i] = i * 3;
  a.write();
  cudaLaunchAttribute attributes[2] = {};
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(Blocks);
  configuration.blockDim = dim3(Threads);
  configuration.attrs = attributes;
  configuration.numAttrs = 2;
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim = {Size, 1, 1};
  attributes[1].id = cudaLaunchAttributeCooperative;
  attributes[1].val.cooperative = 1;
  OK(cudaLaunchKernelEx(&configuration, run, a.device));
  a.read();
  for (int r = 0; r < Rounds; r++) {
    for (int i = 0; i < Blocks * Threads; i++) {
      const int b = i / Threads, from = b / Size * Size + (b % Size + 1) % Size;
      next[i] = expected[(from * Threads + i % Threads + Threads * Size) % (Blocks * Threads)] + 1;
    }
    memcpy(expected, next, sizeof next);
  }
  for (int i = 0; i < Blocks * Threads; i++)
    EXPECT(a.host[i] == expected[i]);
  return finish();
}
