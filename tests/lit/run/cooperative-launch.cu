// A grid-wide barrier: every block sees the earlier writes of all blocks, several times over.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -D_CG_LIMIT_INCLUDED_DEPENDENCIES -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cooperative_groups.h>
__global__ void rotate(int *a, int *b, int rounds) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  int n = grid.size(), t = grid.thread_rank();
  for (int i = 0; i < rounds; i++) {
    b[t] = a[(t + 33) % n] + 1;
    grid.sync();
    a[t] = b[(t + n - 33) % n];
    grid.sync();
  }
}

int main() {
  enum { N = 8 * 64 };
  Values<int, N> a, b;
  for (int i = 0; i < N; i++)
    a.host[i] = i;
  a.write();
  int rounds = 5;
  void *arguments[] = {&a.device, &b.device, &rounds};
  OK(cudaLaunchCooperativeKernel(rotate, dim3(8), dim3(64), arguments, 0, 0));
  a.read();
  for (int i = 0; i < N; i++)
    EXPECT(a.host[i] == i + rounds);
  return finish();
}
