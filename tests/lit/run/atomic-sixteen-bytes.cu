// Exchange, and compare and swap, of 16 bytes at once: many threads count in both halves together.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void count(unsigned long long *pair, unsigned long long *taken) {
  unsigned long long low = 0, high = 0, a, b;
  for (bool done = false; !done;) {
    asm volatile("{ .reg .b128 d, x, y;\n"
                 "  mov.b128 x, {%3, %4};\n"
                 "  mov.b128 y, {%5, %6};\n"
                 "  atom.global.cas.b128 d, [%2], x, y;\n"
                 "  mov.b128 {%0, %1}, d; }"
                 : "=l"(a), "=l"(b)
                 : "l"(pair), "l"(low), "l"(high), "l"(low + 1), "l"(high - 3)
                 : "memory");
    done = a == low && b == high;
    low = a, high = b;
  }
  asm volatile("{ .reg .b128 d, x; mov.b128 x, {%3, %3}; atom.global.exch.b128 d, [%2], x; mov.b128 {%0, %1}, d; }"
               : "=l"(a), "=l"(b)
               : "l"(pair + 2), "l"((unsigned long long)threadIdx.x + 1)
               : "memory");
  taken[threadIdx.x] = a == b ? a : ~0ull;
}

int main() {
  Values<unsigned long long, 4> pair;
  Values<unsigned long long, 64> taken;
  count<<<1, 64>>>(pair.device, taken.device);
  pair.read(), taken.read();
  EXPECT(pair.host[0] == 64 && pair.host[1] == 0ull - 3 * 64);
  unsigned long long sum = pair.host[2];
  for (int i = 0; i < 64; i++)
    sum += taken.host[i];
  EXPECT(pair.host[2] == pair.host[3] && sum == 64 * 65 / 2);
  return finish();
}
