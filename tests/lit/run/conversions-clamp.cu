// cvt in inline PTX with .sat, .relu, .satfinite and directions, to floats of 16 bits, to tf32 and between integers.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cmath>

enum { N = 16, Kinds = 12 };

__global__ void convert(const float *in, unsigned *out) {
  float x = in[threadIdx.x];
  unsigned *o = out + threadIdx.x * Kinds, pair, tf32;
  unsigned short h;
#define ONE(text)                                                                                            \
  asm("cvt." text " %0, %1;" : "=h"(h) : "f"(x));                                                            \
  *o++ = h
  ONE("rn.sat.f16.f32");
  ONE("rz.f16.f32");
  ONE("rn.relu.f16.f32");
  ONE("rn.relu.satfinite.f16.f32");
  ONE("rn.relu.bf16.f32");
  ONE("rz.bf16.f32");
  ONE("rn.satfinite.bf16.f32");
  asm("cvt.rz.relu.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(x), "f"(-x));
  *o++ = pair;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(tf32) : "f"(x));
  *o++ = tf32;
  int whole = (int)(x * 100), byte, unsigned_byte;
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(byte) : "r"(whole));
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(unsigned_byte) : "r"(whole));
  *o++ = byte & 255, *o++ = unsigned_byte & 255;
  float clamped;
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(clamped) : "f"(x));
  *o++ = __float_as_uint(clamped);
}

int main() {
  const float numbers[N] = {0,     1,        -1,        0.5f,     0.3333333f, -0.3333333f, 65520, 65519.99f,
                            1e6f,  -1e6f,    INFINITY,  -INFINITY, 3.4e38f,   1e-7f,       1.003f, -2.75f};
  // By row: sat, to zero, relu, relu with a greatest number; of bfloat relu, to zero, a greatest number; both of a pair; tf32.
  const unsigned expected[N][9] = {
      {0, 0, 0, 0, 0, 0, 0, 0, 0},
      {0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3f80, 0x3f80, 0x3f80, 0x3c000000, 0x3f800000},
      {0, 0xbc00, 0, 0, 0, 0xbf80, 0xbf80, 0x3c00, 0xbf800000},
      {0x3800, 0x3800, 0x3800, 0x3800, 0x3f00, 0x3f00, 0x3f00, 0x38000000, 0x3f000000},
      {0x3555, 0x3555, 0x3555, 0x3555, 0x3eab, 0x3eaa, 0x3eab, 0x35550000, 0x3eaaa000},
      {0, 0xb555, 0, 0, 0, 0xbeaa, 0xbeab, 0x3555, 0xbeaaa000},
      {0x3c00, 0x7bff, 0x7c00, 0x7bff, 0x4780, 0x477f, 0x4780, 0x7bff0000, 0x47800000},
      {0x3c00, 0x7bff, 0x7bff, 0x7bff, 0x4780, 0x477f, 0x4780, 0x7bff0000, 0x477fe000},
      {0x3c00, 0x7bff, 0x7c00, 0x7bff, 0x4974, 0x4974, 0x4974, 0x7bff0000, 0x49742000},
      {0, 0xfbff, 0, 0, 0, 0xc974, 0xc974, 0x7bff, 0xc9742000},
      {0x3c00, 0x7c00, 0x7c00, 0x7bff, 0x7f80, 0x7f80, 0x7f7f, 0x7c000000, 0x7f800000},
      {0, 0xfc00, 0, 0, 0, 0xff80, 0xff7f, 0x7c00, 0xff800000},
      {0x3c00, 0x7bff, 0x7c00, 0x7bff, 0x7f80, 0x7f7f, 0x7f7f, 0x7bff0000, 0x7f7fc000},
      {0x0002, 0x0001, 0x0002, 0x0002, 0x33d7, 0x33d6, 0x33d7, 0x00010000, 0x33d6c000},
      {0x3c00, 0x3c03, 0x3c03, 0x3c03, 0x3f80, 0x3f80, 0x3f80, 0x3c030000, 0x3f806000},
      {0, 0xc180, 0, 0, 0, 0xc030, 0xc030, 0x4180, 0xc0300000}};
  Values<float, N> in;
  Values<unsigned, N * Kinds> out;
  memcpy(in.host, numbers, sizeof numbers);
  in.write();
  convert<<<1, N>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < N; i++) {
    const unsigned *o = out.host + i * Kinds;
    for (int k = 0; k < 9; k++) {
      EXPECT(o[k] == expected[i][k]);
      if (o[k] != expected[i][k])
        printf("number %d, conversion %d: %x\n", i, k, o[k]);
    }
    if (fabsf(numbers[i]) > 1e6f)
      continue; // no int
    const int whole = (int)(numbers[i] * 100);
    EXPECT(o[9] == (unsigned)((whole < -128 ? -128 : whole > 127 ? 127 : whole) & 255));
    EXPECT(o[10] == (unsigned)(whole < 0 ? 0 : whole > 255 ? 255 : whole));
    const float clamped = numbers[i] < 0 ? 0 : numbers[i] > 1 ? 1 : numbers[i];
    EXPECT(!memcmp(&o[11], &clamped, 4));
  }
  return finish();
}
