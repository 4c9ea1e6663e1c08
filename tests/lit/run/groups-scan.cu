// cooperative_groups::inclusive_scan and exclusive_scan of a tile.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -D_CG_LIMIT_INCLUDED_DEPENDENCIES -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void scan(int *in, int *out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  in[threadIdx.x] = cg::inclusive_scan(tile, (int)threadIdx.x + 1, cg::plus<int>());
  out[threadIdx.x] = cg::exclusive_scan(tile, (int)threadIdx.x + 1, cg::plus<int>());
}

int main() {
  Values<int, 32> in, out;
  scan<<<1, 32>>>(in.device, out.device);
  in.read(), out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(in.host[i] == (i + 1) * (i + 2) / 2 && out.host[i] == i * (i + 1) / 2);
  return finish();
}
