// A device function that calls itself, as deep as a thread's stack allows easily.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

static __device__ __noinline__ int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__global__ void run(int *out) { out[threadIdx.x] = ackermann(2, threadIdx.x); }

int main() {
  Values<int, 8> out;
  run<<<1, 8>>>(out.device);
  out.read();
  for (int i = 0; i < 8; i++)
    EXPECT(out.host[i] == 2 * i + 3);
  return finish();
}
