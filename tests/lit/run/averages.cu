// __hadd, __rhadd, __uhadd and __urhadd: averages that do not overflow.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void average(int *out, unsigned *u) {
  int t = threadIdx.x;
  out[2 * t] = __hadd(0x7ffffff0 + t, 0x7fffffff), out[2 * t + 1] = __rhadd(-t, 0);
  u[2 * t] = __uhadd(0xfffffff0u + t, 0xffffffffu), u[2 * t + 1] = __urhadd(0xfffffff0u + t, 0xffffffffu);
}

int main() {
  Values<int, 16> out;
  Values<unsigned, 16> u;
  average<<<1, 8>>>(out.device, u.device);
  out.read(), u.read();
  for (long long t = 0; t < 8; t++) {
    EXPECT(out.host[2 * t] == (0x7ffffff0ll + t + 0x7fffffffll) >> 1 && out.host[2 * t + 1] == (-t + 1) >> 1);
    EXPECT(u.host[2 * t] == (0xfffffff0ll + t + 0xffffffffll) >> 1 &&
           u.host[2 * t + 1] == (0xfffffff0ll + t + 0xffffffffll + 1) >> 1);
  }
  return finish();
}
