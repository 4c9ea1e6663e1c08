// __mul24 and __umul24 use the low 24 bits of each factor.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void multiply(int *out, unsigned *u) {
  out[threadIdx.x] = __mul24(0x01000003 + (int)threadIdx.x, -5);
  u[threadIdx.x] = __umul24(0xff000004u + threadIdx.x, 7u);
}

int main() {
  Values<int, 8> out;
  Values<unsigned, 8> u;
  multiply<<<1, 8>>>(out.device, u.device);
  out.read(), u.read();
  for (int i = 0; i < 8; i++)
    EXPECT(out.host[i] == (3 + i) * -5 && u.host[i] == (4u + i) * 7);
  return finish();
}
