// mma.sync of 8-bit floats, of one kind and of both.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply launches=1 flops.tensor.fp8=16384 flops.total=16384
// CHECK: all right
#include "fragments.h"

__global__ void multiply(const unsigned *a, const unsigned *b, const unsigned *wide_b, const float *c, float *out) {
  unsigned x[4], y[2], w[2];
  float z[4], d[4];
  take<8, 16, 32, false>(x, a);
  take<8, 8, 32, true>(y, b);
  take<8, 8, 32, true>(w, wide_b);
  for (int i = 0; i < 4; i++)
    z[i] = c[sum_place(i)];
  MMA_4_2_4("m16n8k32.row.col.f32.e4m3.e4m3.f32", "r", "f", d, x, y, z);
  put<4>(out, d);
  MMA_4_2_4("m16n8k32.row.col.f32.e4m3.e5m2.f32", "r", "f", d, x, w, z);
  put<4>(out + 128, d);
}

int main() {
  // 0, 1, 2, 3, 4, 5, 6, 7 in both kinds; those with a third bit of precision only in the first
  const unsigned e4m3[] = {0, 0x38, 0x40, 0x44, 0x48, 0x4a, 0x4c, 0x4e}, e5m2[] = {0, 0x3c, 0x40, 0x42, 0x44};
  Values<unsigned, 16 * 32> a;
  Values<unsigned, 32 * 8> b, wide;
  Values<float, 128> c;
  Values<float, 256> out;
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < 32; k++)
      a.host[i * 32 + k] = e4m3[small_number(i, k, 8)] | (i + k) % 2 << 7;
  for (int k = 0; k < 32; k++)
    for (int j = 0; j < 8; j++)
      b.host[k * 8 + j] = e4m3[small_number(j, k, 7)], wide.host[k * 8 + j] = e5m2[small_number(j, k, 5)];
  for (int i = 0; i < 128; i++)
    c.host[i] = i;
  a.write(), b.write(), wide.write(), c.write();
  multiply<<<1, 32>>>(a.device, b.device, wide.device, c.device, out.device);
  out.read();
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 8; j++) {
      float narrow = c.host[i * 8 + j], other = narrow;
      for (int k = 0; k < 32; k++) {
        float left = small_number(i, k, 8) * ((i + k) % 2 ? -1.0f : 1.0f);
        narrow += left * small_number(j, k, 7);
        other += left * small_number(j, k, 5);
      }
      EXPECT(out.host[i * 8 + j] == narrow && out.host[128 + i * 8 + j] == other);
    }
  return finish();
}
