// Cooperative groups: the block's barrier, ranks and dimensions.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -D_CG_LIMIT_INCLUDED_DEPENDENCIES -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void reverse(int *out) {
  __shared__ int s[48];
  cg::thread_block block = cg::this_thread_block();
  s[block.thread_rank()] = block.thread_index().x + 100 * block.group_index().x;
  block.sync();
  out[blockIdx.x * 48 + threadIdx.x] = s[block.size() - 1 - block.thread_rank()];
}

int main() {
  Values<int, 96> out;
  reverse<<<2, 48>>>(out.device);
  out.read();
  for (int i = 0; i < 96; i++)
    EXPECT(out.host[i] == 47 - i % 48 + i / 48 * 100);
  return finish();
}
