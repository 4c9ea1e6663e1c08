// __syncthreads_or is non-zero where one predicate holds.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void either(int *out) {
  int yes = __syncthreads_or(threadIdx.x == 77) != 0, no = __syncthreads_or(threadIdx.x > 95) != 0;
  out[threadIdx.x] = yes + 2 * no;
}

int main() {
  Values<int, 96> out;
  either<<<1, 96>>>(out.device);
  out.read();
  for (int i = 0; i < 96; i++)
    EXPECT(out.host[i] == 1);
  return finish();
}
