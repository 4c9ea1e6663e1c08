// Bit fields of structures in device memory, signed and unsigned.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

struct Packed {
  unsigned a : 5;
  int b : 6;
  unsigned c : 21;
};
__global__ void change(Packed *p) {
  p[threadIdx.x].a += 3;
  p[threadIdx.x].b = -(int)threadIdx.x;
  p[threadIdx.x].c = 1u << 20 | threadIdx.x;
}

int main() {
  Values<Packed, 32> p;
  for (int i = 0; i < 32; i++)
    p.host[i].a = i;
  p.write();
  change<<<1, 32>>>(p.device);
  p.read();
  for (int i = 0; i < 32; i++)
    EXPECT(p.host[i].a == (i + 3u) % 32 && p.host[i].b == -i && p.host[i].c == (1u << 20 | i));
  return finish();
}
