// atomicCAS of 16 bits leaves the neighbour alone.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void swap(unsigned short *s) {
  unsigned short old = *s, expected;
  do
    old = atomicCAS(s, expected = old, (unsigned short)(old + 1));
  while (old != expected);
}

int main() {
  Values<unsigned short, 2> s;
  s.host[0] = 65530, s.host[1] = 7;
  s.write();
  swap<<<1, 64>>>(s.device);
  s.read();
  EXPECT(s.host[0] == 58 && s.host[1] == 7);
  return finish();
}
