// An array of each thread's own, with an index unknown at compile time: local memory.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json sort bytes.global.store=2048 bytes.global.load=2048
// CHECK: all right
#include "lanes.h"

__global__ void sort(const int *in, int *out) {
  int v[8];
  for (int i = 0; i < 8; i++)
    v[i] = in[8 * threadIdx.x + i];
  for (int i = 1; i < 8; i++)
    for (int j = i; j > 0 && v[j - 1] > v[j]; j--) {
      int other = v[j];
      v[j] = v[j - 1], v[j - 1] = other;
    }
  for (int i = 0; i < 8; i++)
    out[8 * threadIdx.x + i] = v[i];
}

int main() {
  Values<int, 512> in, out;
  for (int i = 0; i < 512; i++)
    in.host[i] = i * 7919 % 1009;
  in.write();
  sort<<<1, 64>>>(in.device, out.device);
  out.read();
  for (int t = 0; t < 64; t++) {
    int before = 0, after = 0;
    for (int i = 0; i < 8; i++) {
      before += in.host[8 * t + i], after += out.host[8 * t + i];
      EXPECT(i == 0 || out.host[8 * t + i - 1] <= out.host[8 * t + i]);
    }
    EXPECT(before == after);
  }
  return finish();
}
