// Cooperative groups: the group of the lanes that took a branch.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -D_CG_LIMIT_INCLUDED_DEPENDENCIES -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void coalesced(int *out) {
  if (threadIdx.x % 3 == 1) {
    cg::coalesced_group group = cg::coalesced_threads();
    out[threadIdx.x] = 100 * group.size() + group.thread_rank() + 10000 * group.shfl((int)threadIdx.x, 2);
  }
}

int main() {
  Values<int, 32> out;
  coalesced<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == (i % 3 == 1 ? 100 * 11 + i / 3 + 10000 * 7 : 0));
  return finish();
}
