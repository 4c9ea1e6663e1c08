// cooperative_groups::reduce of a tile, by plus, by greater and by a function of
// one's own. It calls __reduce_add_sync and the like, part of clang since 17.
// REQUIRES: cuda-toolkit, llvm-at-least-17
// RUN: %clangxx -fplugin=%plugin %cudaflags -D_CG_LIMIT_INCLUDED_DEPENDENCIES -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void reduce(int *out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int t = threadIdx.x;
  out[3 * t] = cg::reduce(tile, t, cg::plus<int>());
  out[3 * t + 1] = cg::reduce(tile, t * 7 % 16, cg::greater<int>());
  out[3 * t + 2] = cg::reduce(tile, t, [](int a, int b) { return a ^ b; });
}

int main() {
  Values<int, 96> out;
  reduce<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++) {
    int sum = 0, parity = 0;
    for (int k = i / 16 * 16; k < i / 16 * 16 + 16; k++)
      sum += k, parity ^= k;
    EXPECT(out.host[3 * i] == sum && out.host[3 * i + 1] == 15 && out.host[3 * i + 2] == parity);
  }
  return finish();
}
