// __managed__ variables are the same memory for host and kernels, with their initial values.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// Again with the toolkit's headers, where there is one.
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

struct Point {
  int x, y;
};
__managed__ int counter = 5;
__device__ __managed__ float table[4] = {1, 2, 3, 4};
static __managed__ Point point = {7, 8};
__managed__ double cleared;

__global__ void change(int *out) {
  atomicAdd(&counter, 1);
  if (threadIdx.x != 0)
    return;
  table[1] *= 10;
  point.x += point.y;
  cleared += 0.5;
  *out = table[3];
}

int main() {
  Values<int, 1> out;
  EXPECT(counter == 5 && table[2] == 3 && point.y == 8 && cleared == 0);
  counter = 10;
  table[3] = 44;
  change<<<2, 4>>>(out.device);
  out.read();
  EXPECT(counter == 18 && table[1] == 200 && point.x == 23 && cleared == 1 && out.host[0] == 44);
  int *p = &counter;
  *p = 0;
  change<<<1, 4>>>(out.device);
  OK(cudaDeviceSynchronize());
  EXPECT(counter == 4);
  int copy = 0;
  OK(cudaMemcpyFromSymbol(&copy, counter, sizeof copy));
  EXPECT(copy == 4);
  return finish();
}
