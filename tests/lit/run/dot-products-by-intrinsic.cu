// __dp4a and __dp2a of the toolkit's headers.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 --cuda-gpu-arch=sm_80 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void dot(int *out) {
  out[0] = __dp4a(0x01020304, 0x05060708, 9);
  out[1] = __dp4a((int)0xff000000, 0x7f000000, 0);
  out[2] = (int)__dp4a(0xff000000u, 0x7f000000u, 0u);
  out[3] = __dp2a_lo(0x00020003, 0x00000405, 1);
  out[4] = __dp2a_hi(0x00020003, 0x04050000, 1);
}

int main() {
  Values<int, 5> out;
  dot<<<1, 1>>>(out.device);
  out.read();
  EXPECT(out.host[0] == 5 + 12 + 21 + 32 + 9 && out.host[1] == -127 && out.host[2] == 255 * 127);
  EXPECT(out.host[3] == 2 * 4 + 3 * 5 + 1 && out.host[4] == 2 * 4 + 3 * 5 + 1);
  return finish();
}
