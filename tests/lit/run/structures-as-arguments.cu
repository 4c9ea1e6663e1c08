// Structures of odd sizes and alignments as kernel arguments, beside each other.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

struct Three {
  char c[3];
};
struct alignas(16) Wide {
  float x, y;
};
struct Large {
  int v[100];
};
__global__ void read(Three three, Wide wide, bool b, Large large, short s, int *out) {
  out[0] = three.c[2], out[1] = (int)(wide.x + wide.y), out[2] = b, out[3] = large.v[99], out[4] = s;
}

int main() {
  Values<int, 5> out;
  Large large = {};
  large.v[99] = 77;
  read<<<1, 1>>>({{1, 2, 3}}, {1.5f, 2.5f}, true, large, -5, out.device);
  out.read();
  EXPECT(out.host[0] == 3 && out.host[1] == 4 && out.host[2] == 1 && out.host[3] == 77 && out.host[4] == -5);
  return finish();
}
