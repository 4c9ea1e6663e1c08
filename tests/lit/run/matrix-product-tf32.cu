// mma.sync of tf32: both depths; of the operands the lower 13 bits are not read.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply launches=1 flops.tensor.tf32=3072 flops.total=3072
// CHECK: all right
#include "products_of_two_depths.h"

__global__ void multiply(const unsigned *a, const unsigned *b, const float *c, float *deep, float *shallow) {
  unsigned x[4], y[2];
  float z[4], d[4], e[4];
  take<32, 16, 8, false>(x, a);
  take<32, 8, 8, true>(y, b);
  for (int i = 0; i < 4; i++)
    z[i] = c[sum_place(i)];
  MMA_4_2_4("m16n8k8.row.col.f32.tf32.tf32.f32", "r", "f", d, x, y, z);
  MMA_2_1_4("m16n8k4.row.col.f32.tf32.tf32.f32", "r", "f", e, x, y, z);
  put<4>(deep, d);
  put<4>(shallow, e);
}

int main() {
  return check_two_depths<8>(
      [](const unsigned *a, const unsigned *b, const float *c, float *deep, float *shallow) {
        multiply<<<1, 32>>>(a, b, c, deep, shallow);
      },
      [](float value) { return bits_of(value) | 0x1fff; }); // the lower bits are not read
}
