// __syncthreads_and is non-zero where all predicates hold.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void both(int *out) {
  int yes = __syncthreads_and(threadIdx.x < 96) != 0, no = __syncthreads_and(threadIdx.x != 95) != 0;
  out[threadIdx.x] = yes + 2 * no;
}

int main() {
  Values<int, 96> out;
  both<<<1, 96>>>(out.device);
  out.read();
  for (int i = 0; i < 96; i++)
    EXPECT(out.host[i] == 1);
  return finish();
}
