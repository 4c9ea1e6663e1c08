// float4 and relatives: one access of 16 bytes each, and members by name.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json add bytes.global.load=2048 bytes.global.store=1024 flops.fp32.add=256
// CHECK: all right
#include "lanes.h"

__global__ void add(const float4 *a, const float4 *b, float4 *c) {
  int t = threadIdx.x;
  c[t] = make_float4(a[t].x + b[t].x, a[t].y + b[t].y, a[t].z + b[t].z, a[t].w + b[t].w);
}

int main() {
  Values<float4, 64> a, b, c;
  for (int i = 0; i < 64; i++) {
    a.host[i] = make_float4(i, 2 * i, 3 * i, 4 * i);
    b.host[i] = make_float4(1, 2, 3, 4);
  }
  a.write(), b.write();
  add<<<1, 64>>>(a.device, b.device, c.device);
  c.read();
  for (int i = 0; i < 64; i++)
    EXPECT(c.host[i].x == i + 1 && c.host[i].y == 2 * i + 2 && c.host[i].z == 3 * i + 3 &&
           c.host[i].w == 4 * i + 4);
  return finish();
}
