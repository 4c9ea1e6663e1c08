// The forms of one block and of the whole system do the same.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void scopes(int *i, unsigned *u, double *d) {
  atomicAdd_block(&i[0], 1), atomicAdd_system(&i[1], 2), atomicSub_system(&i[2], 1);
  atomicMax_block(&u[0], (unsigned)threadIdx.x), atomicOr_system(&u[1], 1u << threadIdx.x % 32);
  atomicAdd_block(d, 0.5);
}

int main() {
  Values<int, 3> i;
  Values<unsigned, 2> u;
  Values<double, 1> d;
  scopes<<<1, 96>>>(i.device, u.device, d.device);
  i.read(), u.read(), d.read();
  EXPECT(i.host[0] == 96 && i.host[1] == 192 && i.host[2] == -96);
  EXPECT(u.host[0] == 95 && u.host[1] == ~0u && d.host[0] == 48);
  return finish();
}
