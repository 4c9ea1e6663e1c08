// Control flow that is not a tree: a switch that falls through, and goto into a loop.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void run(int *out) {
  int t = threadIdx.x, v = 0;
  switch (t % 5) {
  case 0:
    v += 1;
  case 1:
    v += 10;
    break;
  case 3:
    v += 100;
  default:
    v += 1000;
  }
  if (t % 2)
    goto middle;
top:
  v += 3;
middle:
  v += 5;
  if (v < 40)
    goto top;
  out[t] = v;
}
static int expected(int t) {
  int v = t % 5 == 0 ? 11 : t % 5 == 1 ? 10 : t % 5 == 3 ? 1100 : 1000;
  for (bool skip = t % 2;; skip = false) {
    v += skip ? 5 : 8;
    if (v >= 40)
      return v;
  }
}

int main() {
  Values<int, 40> out;
  run<<<1, 40>>>(out.device);
  out.read();
  for (int i = 0; i < 40; i++)
    EXPECT(out.host[i] == expected(i));
  return finish();
}
