// __brev and __brevll.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void reverse(unsigned *out, unsigned long long *wide) {
  out[threadIdx.x] = __brev(1u << threadIdx.x | 1u);
  wide[threadIdx.x] = __brevll(1ull << threadIdx.x);
}

int main() {
  Values<unsigned, 32> out;
  Values<unsigned long long, 32> wide;
  reverse<<<1, 32>>>(out.device, wide.device);
  out.read(), wide.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == (1u << (31 - i) | 1u << 31) && wide.host[i] == 1ull << (63 - i));
  return finish();
}
