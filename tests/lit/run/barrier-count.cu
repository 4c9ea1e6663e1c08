// __syncthreads_count gives every thread how many predicates held.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void count(int *out) { out[threadIdx.x] = __syncthreads_count(threadIdx.x % 7 == 2); }

int main() {
  Values<int, 100> out;
  count<<<1, 100>>>(out.device);
  out.read();
  for (int i = 0; i < 100; i++)
    EXPECT(out.host[i] == 14);
  return finish();
}
