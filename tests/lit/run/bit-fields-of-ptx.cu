// Inline PTX on bits: fields taken out and put in, masks, bytes, logic of three operands, borrows, choices and tests of numbers.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

enum { N = 64, Kinds = 16 };
struct Operands {
  unsigned a, b, position, length;
};

__global__ void run(const Operands *in, unsigned long long *out) {
  const Operands v = in[threadIdx.x];
  unsigned long long *o = out + threadIdx.x * Kinds, wide = (unsigned long long)v.a << 32 | v.b, result;
  unsigned r;
#define WORD(text, ...)                                                                                      \
  asm(text : "=r"(r) : __VA_ARGS__);                                                                         \
  *o++ = r
  WORD("bfe.u32 %0, %1, %2, %3;", "r"(v.a), "r"(v.position), "r"(v.length));
  WORD("bfe.s32 %0, %1, %2, %3;", "r"(v.a), "r"(v.position), "r"(v.length));
  WORD("bfi.b32 %0, %1, %2, %3, %4;", "r"(v.a), "r"(v.b), "r"(v.position), "r"(v.length));
  asm("bfe.s64 %0, %1, %2, %3;" : "=l"(result) : "l"(wide), "r"(v.position), "r"(v.length));
  *o++ = result;
  WORD("bmsk.clamp.b32 %0, %1, %2;", "r"(v.position), "r"(v.length));
  WORD("bmsk.wrap.b32 %0, %1, %2;", "r"(v.position), "r"(v.length));
  WORD("prmt.b32 %0, %1, %2, %3;", "r"(v.a), "r"(v.b), "r"(v.a >> 7));
  WORD("lop3.b32 %0, %1, %2, %3, 0x96;", "r"(v.a), "r"(v.b), "r"(v.position));
  WORD("lop3.b32 %0, %1, %2, %3, 0xca;", "r"(v.a), "r"(v.b), "r"(~v.position));
  WORD("sad.s32 %0, %1, %2, %3;", "r"(v.a), "r"(v.b), "r"(v.length));
  WORD("slct.u32.s32 %0, %1, %2, %3;", "r"(v.a), "r"(v.b), "r"(v.b ^ v.a));
  WORD("mad24.lo.s32 %0, %1, %2, %3;", "r"(v.a), "r"(v.b), "r"(v.length));
  asm("{ .reg .u32 l, h, x, y, p, q; mov.b64 {x, y}, %1; mov.b64 {p, q}, %2; sub.cc.u32 l, x, p; subc.u32 h, y, q;"
      " mov.b64 %0, {l, h}; }"
      : "=l"(result)
      : "l"(wide), "l"(wide * 3));
  *o++ = result;
  float f = __uint_as_float(v.a);
  WORD("{ .reg .pred p; testp.normal.f32 p, %1; selp.u32 %0, 1, 0, p; }", "f"(f));
  WORD("{ .reg .pred p; testp.notanumber.f32 p, %1; selp.u32 %0, 1, 0, p; }", "f"(f));
  WORD("{ .reg .f32 f; copysign.f32 f, %1, 0f3f800000; mov.b32 %0, f; }", "f"(f));
}

static unsigned mask(unsigned position, unsigned length) {
  return position >= 32 ? 0 : (length >= 32 ? ~0u : (1u << length) - 1) << position;
}

// Bit by bit, as PTX ISA describes bfe.
static unsigned long long field(unsigned long long v, int bits, unsigned position, unsigned length, bool is_signed) {
  const unsigned last = position + length - 1 < (unsigned)bits - 1 ? position + length - 1 : bits - 1;
  const bool sign = is_signed && length && v >> last & 1;
  unsigned long long result = 0;
  for (unsigned i = 0; i < (unsigned)bits; i++) {
    const bool inside = i < length && position + i < (unsigned)bits;
    result |= (unsigned long long)(inside ? v >> (position + i) & 1 : sign) << i;
  }
  return result;
}

static int low24(unsigned v) { return (int)(v << 8) >> 8; }

int main() {
  Values<Operands, N> in;
  Values<unsigned long long, N * Kinds> out;
  const unsigned special[] = {0x7fc00000, 0x00000001, 0x7f800000, 0xbf800000};
  for (int i = 0; i < N; i++)
    in.host[i] = {i < 4 ? special[i] : i * 2654435761u, i * 2246822519u, i * 7 % 41u, i * 11 % 37u};
  in.write();
  run<<<1, N>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < N; i++) {
    const auto [a, b, position, length] = in.host[i];
    const unsigned long long *o = out.host + i * Kinds, wide = (unsigned long long)a << 32 | b;
    EXPECT(o[0] == field(a, 32, position, length, false) && o[1] == field(a, 32, position, length, true));
    const unsigned all = mask(position, length), shifted = position >= 32 ? 0 : a << position;
    EXPECT(o[2] == ((b & ~all) | (shifted & all)) && o[3] == field(wide, 64, position, length, true));
    EXPECT(o[4] == all && o[5] == mask(position % 32, length % 32));
    unsigned bytes = 0;
    const unsigned long long both = (unsigned long long)b << 32 | a;
    for (int k = 0; k < 4; k++) {
      const unsigned nibble = a >> 7 >> 4 * k & 15, byte = both >> (nibble & 7) * 8 & 255;
      bytes |= (nibble < 8 ? byte : byte & 128 ? 255u : 0u) << 8 * k;
    }
    EXPECT(o[6] == bytes && o[7] == (a ^ b ^ position) && o[8] == ((a & b) | (~a & ~position)));
    const long long x = (int)a, y = (int)b;
    EXPECT(o[9] == (unsigned)(x > y ? x - y : y - x) + length);
    EXPECT(o[10] == ((int)(a ^ b) >= 0 ? a : b) && o[11] == (unsigned)((long long)low24(a) * low24(b)) + length);
    EXPECT(o[12] == wide - wide * 3);
    const unsigned exponent = a >> 23 & 255;
    EXPECT(o[13] == (exponent != 0 && exponent != 255) && o[14] == (exponent == 255 && (a & 0x7fffff)));
    EXPECT(o[15] == (0x3f800000 | (a & 0x80000000)));
  }
  return finish();
}
