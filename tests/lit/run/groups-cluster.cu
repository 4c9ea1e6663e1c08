// cooperative_groups::this_cluster(): ranks and sizes, its barrier in one piece and in two, shared memory of other blocks.
// REQUIRES: cuda-toolkit, llvm-at-least-19
// RUN: %clangxx -fplugin=%plugin %cudaflags --cuda-gpu-arch=sm_90 -D_CG_LIMIT_INCLUDED_DEPENDENCIES -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

enum { X = 2, Y = 3, Threads = 32, Blocks = 24, Facts = 12 };

__global__ void __cluster_dims__(X, Y, 1) run(unsigned *out, int *sums) {
  __shared__ int own;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0)
    own = 1 << cluster.block_rank();
  cluster.sync();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  const int *there = cluster.map_shared_rank(&own, next);
  int sum = 0;
  for (unsigned r = 0; r < cluster.num_blocks(); r++)
    sum += *cluster.map_shared_rank(&own, r);
  const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
  sums[block * Threads + threadIdx.x] = sum + 1000 * *there;
  auto token = cluster.barrier_arrive();
  if (threadIdx.x == 5) {
    const unsigned facts[Facts] = {cluster.block_rank(),
                                   cluster.num_blocks(),
                                   cluster.thread_rank(),
                                   cluster.num_threads(),
                                   cluster.block_index().x,
                                   cluster.block_index().y,
                                   cluster.dim_blocks().x,
                                   cluster.dim_blocks().y,
                                   cluster.dim_blocks().z,
                                   cluster.query_shared_rank(there),
                                   cluster.query_shared_rank(&own),
                                   (unsigned)cluster.dim_threads().y};
    for (int i = 0; i < Facts; i++)
      out[block * Facts + i] = facts[i];
  }
  cluster.barrier_wait(std::move(token));
}

int main() {
  static Values<unsigned, Blocks * Facts> out;
  static Values<int, Blocks * Threads> sums;
  run<<<dim3(4, 6), Threads>>>(out.device, sums.device);
  OK(cudaGetLastError());
  out.read(), sums.read();
  for (unsigned b = 0; b < Blocks; b++) {
    const unsigned x = b % 4 % X, y = b / 4 % Y, rank = x + X * y, next = (rank + 1) % (X * Y);
    const unsigned expected[Facts] = {rank, X * Y, rank * Threads + 5, X * Y * Threads, x, y, X, Y, 1, next, rank, Y};
    for (int i = 0; i < Facts; i++)
      EXPECT(out.host[b * Facts + i] == expected[i]);
    for (int t = 0; t < Threads; t++)
      EXPECT(sums.host[b * Threads + t] == (1 << X * Y) - 1 + 1000 * (1 << next));
  }
  return finish();
}
