// atomicMax of signed and unsigned, 32 and 64 bits.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void greatest(int *i, unsigned *u, long long *l, unsigned long long *v) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMax(i, -t);
  atomicMax(u, (unsigned)-t);
  atomicMax(l, -(long long)t << 33);
  atomicMax(v, (unsigned long long)t << 50);
}

int main() {
  Values<int, 1> i;
  Values<unsigned, 1> u;
  Values<long long, 1> l;
  Values<unsigned long long, 1> v;
  i.host[0] = -1000, l.host[0] = -(1ll << 60);
  i.write(), l.write();
  greatest<<<2, 100>>>(i.device, u.device, l.device, v.device);
  i.read(), u.read(), l.read(), v.read();
  EXPECT(i.host[0] == 0 && u.host[0] == ~0u && l.host[0] == 0 && v.host[0] == 199ull << 50);
  return finish();
}
