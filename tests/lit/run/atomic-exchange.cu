// atomicExch: of all values that pass through a cell each is seen once, in int, unsigned long long and float.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void exchange(int *cell, int *seen, unsigned long long *wide, unsigned long long *wides, float *f,
                         float *floats) {
  int t = threadIdx.x;
  seen[t] = atomicExch(cell, t + 1);
  wides[t] = atomicExch(wide, (t + 1ull) << 40);
  floats[t] = atomicExch(f, t + 1.0f);
}

int main() {
  Values<int, 1> cell;
  Values<int, 64> seen;
  Values<unsigned long long, 1> wide;
  Values<unsigned long long, 64> wides;
  Values<float, 1> f;
  Values<float, 64> floats;
  exchange<<<1, 64>>>(cell.device, seen.device, wide.device, wides.device, f.device, floats.device);
  cell.read(), seen.read(), wide.read(), wides.read(), f.read(), floats.read();
  unsigned long long sum = cell.host[0], wide_sum = wide.host[0] >> 40;
  float float_sum = f.host[0];
  for (int t = 0; t < 64; t++)
    sum += seen.host[t], wide_sum += wides.host[t] >> 40, float_sum += floats.host[t];
  EXPECT(sum == 64 * 65 / 2 && wide_sum == 64 * 65 / 2 && float_sum == 64 * 65 / 2);
  return finish();
}
