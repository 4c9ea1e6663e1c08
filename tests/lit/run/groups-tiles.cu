// Cooperative groups: tiles of a warp with their own ranks, shuffles and votes.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -D_CG_LIMIT_INCLUDED_DEPENDENCIES -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void tiles(int *out, unsigned *votes) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int v = block.thread_rank();
  for (int offset = 4; offset; offset /= 2)
    v += tile.shfl_xor(v, offset);
  out[threadIdx.x] = v * 100 + tile.meta_group_rank() * 10 + tile.thread_rank();
  votes[threadIdx.x] = tile.ballot(threadIdx.x % 3 == 0) + 1000 * tile.any(threadIdx.x == 40) +
                       10000 * tile.all(threadIdx.x < 8);
}

int main() {
  Values<int, 64> out;
  Values<unsigned, 64> votes;
  tiles<<<1, 64>>>(out.device, votes.device);
  out.read(), votes.read();
  for (int i = 0; i < 64; i++) {
    int first = i / 8 * 8, sum = 8 * first + 28;
    unsigned ballot = 0;
    for (int k = 0; k < 8; k++)
      ballot |= (unsigned)((first + k) % 3 == 0) << k;
    EXPECT(out.host[i] == sum * 100 + i / 8 * 10 + i % 8);
    EXPECT(votes.host[i] == ballot + 1000 * (i / 8 == 5) + 10000 * (i < 8));
  }
  return finish();
}
