// Inline PTX on integers: modes of prmt, top bits of signed numbers, products of 24 bits, sums that saturate, halves that do not
// fall below zero, packed conversions.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

enum { N = 64, Kinds = 18 };

__global__ void run(const int *in, int *out) {
  const int a = in[threadIdx.x], b = in[(threadIdx.x + 1) % N], s = threadIdx.x;
  const long long wide = (long long)a << 32 | (unsigned)b;
  int *o = out + threadIdx.x * Kinds;
#define WORD(text, ...) asm(text : "=r"(*o++) : __VA_ARGS__)
  WORD("prmt.b32.f4e %0, %1, %2, %3;", "r"(a), "r"(b), "r"(s));
  WORD("prmt.b32.b4e %0, %1, %2, %3;", "r"(a), "r"(b), "r"(s));
  WORD("prmt.b32.rc8 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(s));
  WORD("prmt.b32.ecl %0, %1, %2, %3;", "r"(a), "r"(b), "r"(s));
  WORD("prmt.b32.ecr %0, %1, %2, %3;", "r"(a), "r"(b), "r"(s));
  WORD("prmt.b32.rc16 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(s));
  WORD("bfind.s32 %0, %1;", "r"(a));
  WORD("bfind.shiftamt.s32 %0, %1;", "r"(a));
  WORD("bfind.s64 %0, %1;", "l"(wide));
  WORD("mul24.hi.s32 %0, %1, %2;", "r"(a), "r"(b));
  WORD("mad24.hi.u32 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(s));
  WORD("mad.hi.sat.s32 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(a));
  WORD("add.sat.s32 %0, %1, %2;", "r"(a), "r"(b));
  WORD("sub.sat.s32 %0, %1, %2;", "r"(a), "r"(b));
  WORD("max.s16x2.relu %0, %1, %2;", "r"(a), "r"(b));
  WORD("min.s32.relu %0, %1, %2;", "r"(a), "r"(b));
  WORD("cvt.pack.sat.s16.s32 %0, %1, %2;", "r"(a >> 14), "r"(b >> 14));
  WORD("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;", "r"(a >> 22), "r"(b >> 22), "r"(s));
}

static int clamp(long long v, long long least, long long most) { return v < least ? least : v > most ? most : v; }
static int saturated(long long v) { return clamp(v, -2147483647 - 1, 2147483647); }
/* The bytes of b and a, most significant first, that four digits name. */
static int bytes(unsigned a, unsigned b, unsigned selector) {
  unsigned r = 0;
  for (int i = 0; i < 4; i++) {
    const unsigned n = selector >> 4 * i & 7;
    r |= ((n < 4 ? a >> 8 * n : b >> 8 * (n - 4)) & 255) << 8 * i;
  }
  return r;
}
static int top(long long v, int bits) {
  for (int i = bits - 1; i >= 0; i--)
    if ((v >> i & 1) != (v < 0))
      return i;
  return -1;
}
static int low24(int v) { return v << 8 >> 8; }
static int half(int v, int i) { return (short)(v >> 16 * i); }

int main() {
  Values<int, N> in;
  Values<int, N * Kinds> out;
  unsigned seed = 1;
  for (int i = 0; i < N; i++)
    in.host[i] = (int)(seed = seed * 1664525u + 1013904223u) >> i % 5 * 6;
  in.host[5] = 0, in.host[9] = -1, in.host[10] = 2147483647, in.host[11] = -2147483647 - 1;
  in.write();
  run<<<1, N>>>(in.device, out.device);
  out.read();
  static const unsigned modes[6][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123}, {0x0000, 0x1111, 0x2222, 0x3333},
      {0x3210, 0x3211, 0x3222, 0x3333}, {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
  for (int s = 0; s < N; s++) {
    const int a = in.host[s], b = in.host[(s + 1) % N], *o = out.host + s * Kinds;
    for (int m = 0; m < 6; m++)
      EXPECT(o[m] == bytes(a, b, modes[m][s & 3]));
    const int at = top(a, 32);
    EXPECT(o[6] == at);
    EXPECT(o[7] == (at < 0 ? -1 : 31 - at));
    EXPECT(o[8] == top((long long)a << 32 | (unsigned)b, 64));
    EXPECT(o[9] == (int)((long long)low24(a) * low24(b) >> 16));
    EXPECT(o[10] == (int)((((unsigned long long)a & 0xffffff) * ((unsigned long long)b & 0xffffff) >> 16) + s));
    EXPECT(o[11] == saturated(((long long)a * b >> 32) + a));
    EXPECT(o[12] == saturated((long long)a + b));
    EXPECT(o[13] == saturated((long long)a - b));
    for (int i = 0; i < 2; i++)
      EXPECT(half(o[14], i) == clamp(half(a, i) > half(b, i) ? half(a, i) : half(b, i), 0, 32767));
    EXPECT(o[15] == clamp(a < b ? a : b, 0, 2147483647));
    EXPECT(half(o[16], 1) == clamp(a >> 14, -32768, 32767) && half(o[16], 0) == clamp(b >> 14, -32768, 32767));
    EXPECT(o[17] == (s << 16 | clamp(a >> 22, 0, 255) << 8 | clamp(b >> 22, 0, 255)));
  }
  return finish();
}
