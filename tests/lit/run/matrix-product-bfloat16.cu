// mma.sync of bf16: both depths, sums in fp32.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply launches=1 flops.tensor.bf16=6144 flops.total=6144
// CHECK: all right
#include "fragments.h"

__global__ void multiply(const unsigned *a, const unsigned *b, const float *c, float *deep, float *shallow) {
  unsigned x[4], y[2];
  float z[4], d[4], e[4];
  take<16, 16, 16, false>(x, a);
  take<16, 8, 16, true>(y, b);
  for (int i = 0; i < 4; i++)
    z[i] = c[sum_place(i)];
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "f"(z[0]), "f"(z[1]), "f"(z[2]), "f"(z[3]));
  asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
      : "=f"(e[0]), "=f"(e[1]), "=f"(e[2]), "=f"(e[3])
      : "r"(x[0]), "r"(x[1]), "r"(y[0]), "f"(z[0]), "f"(z[1]), "f"(z[2]), "f"(z[3]));
  for (int i = 0; i < 4; i++)
    deep[sum_place(i)] = d[i], shallow[sum_place(i)] = e[i];
}

static unsigned code(float value) { // the upper half of a float
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  return bits >> 16;
}

int main() {
  Matrices<16, 8, 16, float> m;
  Values<float, 128> shallow;
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < 16; k++)
      m.a.host[i * 16 + k] = code(small_number(i, k, 9) - 4);
  for (int k = 0; k < 16; k++)
    for (int j = 0; j < 8; j++)
      m.b.host[k * 8 + j] = code(small_number(j, k, 7) * 0.25f);
  for (int i = 0; i < 128; i++)
    m.c.host[i] = i - 0.5f;
  m.write();
  multiply<<<1, 32>>>(m.a.device, m.b.device, m.c.device, m.d.device, shallow.device);
  m.d.read(), shallow.read();
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 8; j++) {
      float deep = m.c.host[i * 8 + j], first = deep;
      for (int k = 0; k < 16; k++) {
        float product = (small_number(i, k, 9) - 4) * 0.25f * small_number(j, k, 7);
        deep += product;
        first += k < 8 ? product : 0;
      }
      EXPECT(m.d.host[i * 8 + j] == deep && shallow.host[i * 8 + j] == first);
    }
  return finish();
}
