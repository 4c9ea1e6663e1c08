// mma.sync of s4 and u4: all shapes, mixed signs, sums that wrap and sums that stay at the greatest number.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply launches=1 flops.tensor.int4=45056 flops.total=0
// CHECK: all right
#include "integer_products.h"

__global__ void multiply(const unsigned *a, const unsigned *b, const int *c, int *out) {
  unsigned x[4], y[2], z[4], d[4];
  take<4, 16, 64, false>(x, a);
  take<4, 8, 64, true>(y, b);
  for (int i = 0; i < 4; i++)
    z[i] = c[sum_place(i)];
  MMA_4_2_4("m16n8k64.row.col.s32.s4.s4.s32", "r", "r", d, x, y, z);
  put<4>(out, d);
  MMA_2_1_4("m16n8k32.row.col.s32.u4.s4.s32", "r", "r", d, x, y, z);
  put<4>(out + 128, d);
  MMA_1_1_2("m8n8k32.row.col.s32.s4.u4.s32", "r", "r", d, x, y, z);
  put<2>(out + 256, d);
  MMA_4_2_4("m16n8k64.row.col.satfinite.s32.u4.u4.s32", "r", "r", d, x, y, z);
  put<4>(out + 384, d);
}

int main() {
  return check_integer_products<4>([](const unsigned *a, const unsigned *b, const int *c, int *out) {
    multiply<<<1, 32>>>(a, b, c, out);
  });
}
