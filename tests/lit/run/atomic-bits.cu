// atomicAnd, atomicOr and atomicXor of int, unsigned and unsigned long long.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void bits(int *i, unsigned *u, unsigned long long *l) {
  int t = threadIdx.x;
  atomicAnd(&i[0], ~(1 << t % 20)), atomicOr(&i[1], 1 << t % 5), atomicXor(&i[2], t);
  atomicAnd(&u[0], ~(1u << t % 20)), atomicOr(&u[1], 1u << t % 5), atomicXor(&u[2], (unsigned)t);
  atomicAnd(&l[0], ~(1ull << (t % 20 + 30))), atomicOr(&l[1], 1ull << (t % 5 + 50)),
      atomicXor(&l[2], (t + 0ull) << 35);
}

int main() {
  Values<int, 3> i;
  Values<unsigned, 3> u;
  Values<unsigned long long, 3> l;
  i.host[0] = -1, u.host[0] = ~0u, l.host[0] = ~0ull;
  i.write(), u.write(), l.write();
  bits<<<1, 70>>>(i.device, u.device, l.device);
  i.read(), u.read(), l.read();
  int parity = 0;
  for (int t = 0; t < 70; t++)
    parity ^= t;
  EXPECT(i.host[0] == (int)0xfff00000 && i.host[1] == 31 && i.host[2] == parity);
  EXPECT(u.host[0] == 0xfff00000u && u.host[1] == 31 && u.host[2] == (unsigned)parity);
  EXPECT(l.host[0] == ~(0xfffffull << 30) && l.host[1] == 31ull << 50 &&
         l.host[2] == (unsigned long long)parity << 35);
  return finish();
}
