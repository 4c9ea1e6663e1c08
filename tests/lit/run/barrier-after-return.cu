// Threads that have returned do not hold up a barrier of the others.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void reverse(int *out, int n) {
  __shared__ int s[128];
  int t = threadIdx.x;
  if (t >= n)
    return;
  s[t] = t;
  __syncthreads();
  out[t] = s[n - 1 - t];
}

int main() {
  Values<int, 128> out;
  reverse<<<1, 128>>>(out.device, 70);
  out.read();
  for (int i = 0; i < 128; i++)
    EXPECT(out.host[i] == (i < 70 ? 69 - i : 0));
  return finish();
}
