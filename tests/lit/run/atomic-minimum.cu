// atomicMin of signed and unsigned, 32 and 64 bits.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void least(int *i, unsigned *u, long long *l, unsigned long long *v) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMin(i, t - 50);
  atomicMin(u, (unsigned)(t + 7));
  atomicMin(l, (long long)(t - 50) << 33);
  atomicMin(v, ((unsigned long long)t << 33) + 5);
}

int main() {
  Values<int, 1> i;
  Values<unsigned, 1> u;
  Values<long long, 1> l;
  Values<unsigned long long, 1> v;
  u.host[0] = ~0u, v.host[0] = ~0ull;
  u.write(), v.write();
  least<<<2, 100>>>(i.device, u.device, l.device, v.device);
  i.read(), u.read(), l.read(), v.read();
  EXPECT(i.host[0] == -50 && u.host[0] == 7 && l.host[0] == -(50ll << 33) && v.host[0] == 5);
  return finish();
}
