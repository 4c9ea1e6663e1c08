// Atomic operations on vectors of floats and of pairs of bfloats: each element for itself.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void add(float *sums, unsigned *pairs, float *last) {
  float x, y;
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(sums), "f"(1.0f), "f"(2.0f), "f"(3.0f),
               "f"(threadIdx.x * 1.0f)
               : "memory");
  asm volatile("red.global.add.noftz.v2.bf16x2 [%0], {%1, %2};" ::"l"(pairs), "r"(0x3f804000), "r"(0x40403f80)
               : "memory");
  asm volatile("atom.global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"
               : "=f"(x), "=f"(y)
               : "l"(sums + 4), "f"(1.0f), "f"(-1.0f)
               : "memory");
  if (x == 31)
    *last = y;
}

int main() {
  Values<float, 8> sums;
  Values<float, 1> last;
  Values<unsigned, 2> pairs;
  add<<<1, 32>>>(sums.device, pairs.device, last.device);
  sums.read(), last.read(), pairs.read();
  const float expected[] = {32, 64, 96, 31 * 16, 32, -32};
  for (int i = 0; i < 6; i++)
    EXPECT(sums.host[i] == expected[i]);
  EXPECT(last.host[0] == -31);
  EXPECT(pairs.host[0] == 0x42004280 && pairs.host[1] == 0x42c04200); // 32 and 64, 96 and 32
  return finish();
}
