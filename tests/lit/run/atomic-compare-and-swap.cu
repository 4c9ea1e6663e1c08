// atomicCAS of 32 and 64 bits: a loop around it makes any operation atomic; it returns the old value.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void multiply(unsigned *u, unsigned long long *l) {
  unsigned old = *u, expected;
  do
    old = atomicCAS(u, expected = old, old * 3);
  while (old != expected);
  unsigned long long wide = *l, assumed;
  do
    wide = atomicCAS(l, assumed = wide, wide * 5);
  while (wide != assumed);
}
__global__ void refused(int *i, int *found) { *found = atomicCAS(i, 4, 9); }

int main() {
  Values<unsigned, 1> u;
  Values<unsigned long long, 1> l;
  Values<int, 1> i, found;
  u.host[0] = l.host[0] = 1, i.host[0] = 3;
  u.write(), l.write(), i.write();
  multiply<<<2, 64>>>(u.device, l.device);
  refused<<<1, 1>>>(i.device, found.device);
  u.read(), l.read(), i.read(), found.read();
  unsigned product = 1;
  unsigned long long wide = 1;
  for (int n = 0; n < 128; n++)
    product *= 3, wide *= 5;
  EXPECT(u.host[0] == product && l.host[0] == wide && i.host[0] == 3 && found.host[0] == 3);
  return finish();
}
