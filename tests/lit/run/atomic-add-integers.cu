// atomicAdd of int, unsigned and unsigned long long: sums wrap, and each thread gets an old value of its own.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json add bytes.global.atomic=16384 bytes.global.store=4096
// CHECK: all right
#include "lanes.h"

__global__ void add(int *i, unsigned *u, unsigned long long *l, int *olds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  olds[t] = atomicAdd(i, 1);
  atomicAdd(u, 0x80000001u);
  atomicAdd(l, 1ull << 40);
}

int main() {
  Values<int, 1> i;
  Values<unsigned, 1> u;
  Values<unsigned long long, 1> l;
  Values<int, 1024> olds;
  add<<<4, 256>>>(i.device, u.device, l.device, olds.device);
  i.read(), u.read(), l.read(), olds.read();
  EXPECT(i.host[0] == 1024 && u.host[0] == 1024 && l.host[0] == 1024ull << 40);
  static int seen[1024];
  for (int t = 0; t < 1024; t++)
    EXPECT(olds.host[t] >= 0 && olds.host[t] < 1024 && !seen[olds.host[t]]++);
  return finish();
}
