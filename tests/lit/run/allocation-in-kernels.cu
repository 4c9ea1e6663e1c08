// malloc and free by each thread, and memory handed to another kernel.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void make(int **lists) {
  int t = threadIdx.x;
  int *own = (int *)malloc((t + 1) * sizeof(int));
  for (int i = 0; i <= t; i++)
    own[i] = i * t;
  lists[t] = own;
}
__global__ void use(int **lists, int *out) {
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i <= t; i++)
    sum += lists[t][i];
  out[t] = sum;
  free(lists[t]);
}

int main() {
  Values<int *, 32> lists;
  Values<int, 32> out;
  make<<<1, 32>>>(lists.device);
  use<<<1, 32>>>(lists.device, out.device);
  out.read();
  for (int t = 0; t < 32; t++)
    EXPECT(out.host[t] == t * t * (t + 1) / 2);
  return finish();
}
