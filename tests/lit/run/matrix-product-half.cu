// mma.sync of fp16: both depths, sums in fp32 and in fp16, and the counts of each.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply launches=1 flops.tensor.fp16=10240 flops.total=10240
// CHECK: all right
#include "fragments.h"

typedef Matrices<16, 8, 16, float> All;

__global__ void multiply(const unsigned *a, const unsigned *b, const float *c, float *wide, float *shallow,
                         unsigned *narrow) {
  unsigned x[4], y[2], first_x[2], first_y[1];
  float z[4], d[4], e[4];
  unsigned h[2] = {0x3c003c00, 0x3c003c00}; // ones
  take<16, 16, 16, false>(x, a);
  take<16, 8, 16, true>(y, b);
  for (int i = 0; i < 4; i++)
    z[i] = c[sum_place(i)];
  MMA_4_2_4("m16n8k16.row.col.f32.f16.f16.f32", "r", "f", d, x, y, z);
  first_x[0] = x[0], first_x[1] = x[1], first_y[0] = y[0]; // the first 8 of the depth
  MMA_2_1_4("m16n8k8.row.col.f32.f16.f16.f32", "r", "f", e, first_x, first_y, z);
  asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
      : "+r"(h[0]), "+r"(h[1])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  put<4>(wide, d);
  put<4>(shallow, e);
  for (int i = 0; i < 4; i++)
    narrow[sum_place(i)] = h[i / 2] >> i % 2 * 16 & 0xffff;
}

// 1, 2, 3… to 8 in fp16
static unsigned half_code(int n) {
  static const unsigned codes[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800};
  return codes[n];
}
// What fp16 holds exactly: up to 2048.
static unsigned code_of_sum(int n) {
  int exponent = 0;
  while (n >> (exponent + 1))
    exponent++;
  return (exponent + 15) << 10 | ((n << 10 >> exponent) & 0x3ff);
}

int main() {
  All m;
  Values<float, 128> shallow;
  Values<unsigned, 128> narrow;
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < 16; k++)
      m.a.host[i * 16 + k] = half_code(small_number(i, k, 9));
  for (int k = 0; k < 16; k++)
    for (int j = 0; j < 8; j++)
      m.b.host[k * 8 + j] = half_code(small_number(j, k, 7));
  for (int i = 0; i < 128; i++)
    m.c.host[i] = i - 0.5f;
  m.write();
  multiply<<<1, 32>>>(m.a.device, m.b.device, m.c.device, m.d.device, shallow.device, narrow.device);
  m.d.read(), shallow.read(), narrow.read();
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 8; j++) {
      int sum = 0, first = 0;
      for (int k = 0; k < 16; k++) {
        int product = small_number(i, k, 9) * small_number(j, k, 7);
        sum += product;
        first += k < 8 ? product : 0;
      }
      EXPECT(m.d.host[i * 8 + j] == sum + m.c.host[i * 8 + j]);
      EXPECT(shallow.host[i * 8 + j] == first + m.c.host[i * 8 + j]);
      EXPECT(narrow.host[i * 8 + j] == code_of_sum(sum + 1));
    }
  return finish();
}
