// mma.sync of s8 and u8: all shapes, mixed signs, sums that wrap and sums that stay at the greatest number.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply launches=1 flops.tensor.int8=22528 flops.total=0
// CHECK: all right
#include "integer_products.h"

__global__ void multiply(const unsigned *a, const unsigned *b, const int *c, int *out) {
  unsigned x[4], y[2], z[4], d[4];
  take<8, 16, 32, false>(x, a);
  take<8, 8, 32, true>(y, b);
  for (int i = 0; i < 4; i++)
    z[i] = c[sum_place(i)];
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(z[0]), "r"(z[1]), "r"(z[2]), "r"(z[3]));
  for (int i = 0; i < 4; i++)
    out[0 + sum_place(i)] = d[i];
  asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(x[0]), "r"(x[1]), "r"(y[0]), "r"(z[0]), "r"(z[1]), "r"(z[2]), "r"(z[3]));
  for (int i = 0; i < 4; i++)
    out[128 + sum_place(i)] = d[i];
  asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32 {%0,%1}, {%2}, {%3}, {%4,%5};"
      : "=r"(d[0]), "=r"(d[1])
      : "r"(x[0]), "r"(y[0]), "r"(z[0]), "r"(z[1]));
  for (int i = 0; i < 2; i++)
    out[256 + sum_place(i)] = d[i];
  asm("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(z[0]), "r"(z[1]), "r"(z[2]), "r"(z[3]));
  for (int i = 0; i < 4; i++)
    out[384 + sum_place(i)] = d[i];
}

int main() {
  return check_integer_products<8>([](const unsigned *a, const unsigned *b, const int *c, int *out) {
    multiply<<<1, 32>>>(a, b, c, out);
  });
}
