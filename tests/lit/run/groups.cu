// Cooperative groups by the toolkit's header: blocks, tiles, coalesced threads, scans.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -D_CG_LIMIT_INCLUDED_DEPENDENCIES -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include "lanes.h"

// Cooperative groups: the block's barrier, ranks and dimensions.
namespace groups_block {
namespace cg = cooperative_groups;
__global__ void reverse(int *out) {
  __shared__ int s[48];
  cg::thread_block block = cg::this_thread_block();
  s[block.thread_rank()] = block.thread_index().x + 100 * block.group_index().x;
  block.sync();
  out[blockIdx.x * 48 + threadIdx.x] = s[block.size() - 1 - block.thread_rank()];
}

static void check() {
  Values<int, 96> out;
  reverse<<<2, 48>>>(out.device);
  out.read();
  for (int i = 0; i < 96; i++)
    EXPECT(out.host[i] == 47 - i % 48 + i / 48 * 100);
}
} // namespace groups_block

// Cooperative groups: the lanes of one branch.
namespace groups_coalesced {
namespace cg = cooperative_groups;
__global__ void coalesced(int *out) {
  if (threadIdx.x % 3 == 1) {
    cg::coalesced_group group = cg::coalesced_threads();
    out[threadIdx.x] = 100 * group.size() + group.thread_rank() + 10000 * group.shfl((int)threadIdx.x, 2);
  }
}

static void check() {
  Values<int, 32> out;
  coalesced<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == (i % 3 == 1 ? 100 * 11 + i / 3 + 10000 * 7 : 0));
}
} // namespace groups_coalesced

// cooperative_groups::inclusive_scan and exclusive_scan of a tile.
namespace groups_scan {
namespace cg = cooperative_groups;
__global__ void scan(int *in, int *out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  in[threadIdx.x] = cg::inclusive_scan(tile, (int)threadIdx.x + 1, cg::plus<int>());
  out[threadIdx.x] = cg::exclusive_scan(tile, (int)threadIdx.x + 1, cg::plus<int>());
}

static void check() {
  Values<int, 32> in, out;
  scan<<<1, 32>>>(in.device, out.device);
  in.read(), out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(in.host[i] == (i + 1) * (i + 2) / 2 && out.host[i] == i * (i + 1) / 2);
}
} // namespace groups_scan

// Cooperative groups: tiles of a warp with their own ranks, shuffles and votes.
namespace groups_tiles {
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

static void check() {
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
}
} // namespace groups_tiles

int main() {
  behaviour(groups_block::check);
  behaviour(groups_coalesced::check);
  behaviour(groups_scan::check);
  behaviour(groups_tiles::check);
  return finish();
}
