// mma.sync of single bits: exclusive or and and, all shapes.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply launches=1 flops.tensor.int1=114688 flops.total=0
// CHECK: all right
#include "fragments.h"

__global__ void multiply(const unsigned *a, const unsigned *b, const int *c, int *out) {
  unsigned x[4], y[2];
  int z[4], d[4];
  take<1, 16, 256, false>(x, a);
  take<1, 8, 256, true>(y, b);
  for (int i = 0; i < 4; i++)
    z[i] = c[sum_place(i)];
  asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(z[0]), "r"(z[1]), "r"(z[2]), "r"(z[3]));
  for (int i = 0; i < 4; i++)
    out[sum_place(i)] = d[i];
  asm("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(x[0]), "r"(x[1]), "r"(y[0]), "r"(z[0]), "r"(z[1]), "r"(z[2]), "r"(z[3]));
  for (int i = 0; i < 4; i++)
    out[128 + sum_place(i)] = d[i];
  asm("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0,%1}, {%2}, {%3}, {%4,%5};"
      : "=r"(d[0]), "=r"(d[1])
      : "r"(x[0]), "r"(y[0]), "r"(z[0]), "r"(z[1]));
  for (int i = 0; i < 2; i++)
    out[256 + sum_place(i)] = d[i];
}

int main() {
  Values<unsigned, 16 * 256> a;
  Values<unsigned, 256 * 8> b;
  Values<int, 128> c;
  Values<int, 384> out;
  for (int i = 0; i < 16 * 256; i++)
    a.host[i] = i * 2654435761u >> 17 & 1;
  for (int i = 0; i < 256 * 8; i++)
    b.host[i] = i * 2246822519u >> 13 & 1;
  for (int i = 0; i < 128; i++)
    c.host[i] = i - 50;
  a.write(), b.write(), c.write();
  multiply<<<1, 32>>>(a.device, b.device, c.device, out.device);
  out.read();
  const int rows[] = {16, 16, 8}, depths[] = {256, 128, 128};
  for (int f = 0; f < 3; f++)
    for (int i = 0; i < rows[f]; i++)
      for (int j = 0; j < 8; j++) {
        int sum = c.host[i * 8 + j];
        for (int k = 0; k < depths[f]; k++) {
          unsigned x = a.host[i * 256 + k], y = b.host[k * 8 + j];
          sum += f == 1 ? x & y : x ^ y;
        }
        EXPECT(out.host[f * 128 + i * 8 + j] == sum);
      }
  return finish();
}
