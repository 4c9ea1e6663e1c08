// Device functions called by pointers out of a table in constant memory.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

typedef int (*Operation)(int, int);
static __device__ int sum(int a, int b) { return a + b; }
static __device__ int product(int a, int b) { return a * b; }
static __device__ int difference(int a, int b) { return a - b; }
__constant__ Operation table[] = {sum, product, difference};
__global__ void run(int *out) { out[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x, 7); }

int main() {
  Values<int, 33> out;
  run<<<1, 33>>>(out.device);
  out.read();
  for (int i = 0; i < 33; i++)
    EXPECT(out.host[i] == (i % 3 == 0 ? i + 7 : i % 3 == 1 ? i * 7 : i - 7));
  return finish();
}
