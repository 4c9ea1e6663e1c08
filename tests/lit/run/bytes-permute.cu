// __byte_perm picks any four of eight bytes; a selector's bit 3 repeats the sign of the byte.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void permute(const unsigned *selectors, unsigned *out) {
  out[threadIdx.x] = __byte_perm(0x83020100u, 0x07060504u, selectors[threadIdx.x]);
}

int main() {
  Values<unsigned, 4> selectors, out;
  const unsigned s[4] = {0x3210, 0x7654, 0x0123, 0x4407},
                 expected[4] = {0x83020100u, 0x07060504u, 0x00010283u, 0x04040007u};
  memcpy(selectors.host, s, sizeof s);
  selectors.write();
  permute<<<1, 4>>>(selectors.device, out.device);
  out.read();
  for (int i = 0; i < 4; i++)
    EXPECT(out.host[i] == expected[i]);
  return finish();
}
