// Clocks go forward, and a thread may wait for time to pass.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void wait(int *out) {
  long long start = clock64();
  clock_t begin = clock();
  while (clock64() - start < 1000)
    ;
  out[0] = clock64() - start >= 1000;
  out[1] = clock() - begin >= 0;
  unsigned long long a, b;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(a));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(b));
  out[2] = b >= a;
}

int main() {
  Values<int, 3> out;
  wait<<<1, 1>>>(out.device);
  out.read();
  EXPECT(out.host[0] == 1 && out.host[1] == 1 && out.host[2] == 1);
  return finish();
}
