// __reduce_and_sync, __reduce_or_sync and __reduce_xor_sync.
// REQUIRES: llvm-at-least-17
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void reduce(unsigned *out) {
  int lane = lane_id();
  out[3 * lane] = __reduce_and_sync(~0u, ~(1u << lane % 20));
  out[3 * lane + 1] = __reduce_or_sync(~0u, 1u << lane % 7);
  out[3 * lane + 2] = __reduce_xor_sync(~0u, (unsigned)lane * lane);
}

int main() {
  Values<unsigned, 96> out;
  reduce<<<1, 32>>>(out.device);
  out.read();
  unsigned parity = 0;
  for (unsigned i = 0; i < 32; i++)
    parity ^= i * i;
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[3 * i] == 0xfff00000u && out.host[3 * i + 1] == 127 && out.host[3 * i + 2] == parity);
  return finish();
}
