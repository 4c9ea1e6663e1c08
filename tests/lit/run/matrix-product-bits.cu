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
  MMA_4_2_4("m16n8k256.row.col.s32.b1.b1.s32.xor.popc", "r", "r", d, x, y, z);
  put<4>(out, d);
  MMA_2_1_4("m16n8k128.row.col.s32.b1.b1.s32.and.popc", "r", "r", d, x, y, z);
  put<4>(out + 128, d);
  MMA_1_1_2("m8n8k128.row.col.s32.b1.b1.s32.xor.popc", "r", "r", d, x, y, z);
  put<2>(out + 256, d);
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
