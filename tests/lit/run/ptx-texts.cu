// Inline PTX: arithmetic, bit fields, branches, choices, conversions, predicates, video instructions, special registers.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include <cmath>
#include "lanes.h"

// Inline PTX on bits: fields taken out and put in, masks, bytes, logic of three operands, borrows, choices and tests of numbers.
namespace bit_fields_of_ptx {
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

static void check() {
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
}
} // namespace bit_fields_of_ptx
#undef WORD

// Inline PTX with labels: a loop, branches forward and back, results used as operands, and a lock with waiting threads.
namespace branches_of_ptx {
enum { N = 64 };

// The greatest common divisor by Euclid's subtractions.
__global__ void divisor(const unsigned *a, const unsigned *b, unsigned *out) {
  unsigned x = a[threadIdx.x];
  asm("{\n"
      "  .reg .pred %%p<2>;\n"
      "  .reg .u32 y;\n"
      "  mov.u32 y, %1;\n"
      "AGAIN:\n"
      "  setp.eq.u32 %%p0, %0, y;\n"
      "  @%%p0 bra.uni DONE;\n"
      "  setp.gt.u32 %%p1, %0, y;\n"
      "  @!%%p1 bra LESS;\n"
      "  sub.u32 %0, %0, y;\n"
      "  bra AGAIN;\n"
      "LESS: sub.u32 y, y, %0;\n"
      "  bra AGAIN;\n"
      "DONE:\n"
      "}"
      : "+r"(x)
      : "r"(b[threadIdx.x]));
  out[threadIdx.x] = x;
}

// One thread after the other takes the lock and adds one.
__global__ void take_turns(int *lock, int *sum) {
  asm volatile("{\n"
               "  .reg .pred taken;\n"
               "  .reg .b32 before;\n"
               "LAB_WAIT_%=:\n"
               "  atom.global.cas.b32 before, [%0], 0, 1;\n"
               "  setp.eq.s32 taken, before, 0;\n"
               "  @taken bra TAKEN_%=;\n"
               "  bra LAB_WAIT_%=;\n"
               "TAKEN_%=:\n"
               "}" ::"l"(lock)
               : "memory");
  int v = *(volatile int *)sum;
  *(volatile int *)sum = v + 1;
  __threadfence();
  atomicExch(lock, 0);
}

// Under a predicate within a loop: memory is touched where it holds.
__global__ void odd_sum(const int *in, int n, int *out) {
  int sum;
  asm volatile("{\n"
               "  .reg .pred odd, more;\n"
               "  .reg .b32 v, i, bit;\n"
               "  .reg .b64 at;\n"
               "  mov.b32 i, 0;\n"
               "  mov.b32 %0, 0;\n"
               "  mov.b64 at, %1;\n"
               "NEXT: and.b32 bit, i, 1;\n"
               "  setp.ne.s32 odd, bit, 0;\n"
               "  mov.b32 v, 0;\n"
               "  @odd ld.global.b32 v, [at];\n"
               "  add.s32 %0, %0, v;\n"
               "  add.s64 at, at, 4;\n"
               "  add.s32 i, i, 1;\n"
               "  setp.lt.s32 more, i, %2;\n"
               "  @more bra NEXT;\n"
               "}"
               : "=r"(sum)
               : "l"(in), "r"(n)
               : "memory");
  *out = sum;
}

static unsigned euclid(unsigned a, unsigned b) { return b ? euclid(b, a % b) : a; }

static void check() {
  Values<unsigned, N> a, b, out;
  for (int i = 0; i < N; i++)
    a.host[i] = (i + 1) * 6, b.host[i] = 84 + i % 7 * 3;
  a.write(), b.write();
  divisor<<<1, N>>>(a.device, b.device, out.device);
  out.read();
  for (int i = 0; i < N; i++)
    EXPECT(out.host[i] == euclid(a.host[i], b.host[i]));

  Values<int, 1> lock, sum;
  take_turns<<<4, 32>>>(lock.device, sum.device);
  sum.read();
  EXPECT(sum.host[0] == 4 * 32);

  Values<int, N> in;
  for (int i = 0; i < N; i++)
    in.host[i] = i;
  in.write();
  odd_sum<<<1, 1>>>(in.device, N, sum.device);
  sum.read();
  EXPECT(sum.host[0] == N / 2 * (N / 2));
}
} // namespace branches_of_ptx

// Predicates in inline PTX: comparisons combined with another, both results of one comparison, and the flag of lop3.
namespace choices_of_ptx {
enum { N = 32, Kinds = 8 };

__global__ void run(const int *in, int *out) {
  const int v = in[threadIdx.x], other = 31 - v;
  int *o = out + threadIdx.x * Kinds;
#define BOTH(text)                                                                                           \
  asm("{ .reg .pred p, q, c; setp.gt.s32 c, %2, 20; " text " selp.s32 %0, 1, 0, p; selp.s32 %1, 1, 0, q; }"    \
      : "=r"(o[0]), "=r"(o[1])                                                                               \
      : "r"(v), "r"(other));                                                                                 \
  o += 2
  BOTH("setp.lt.and.s32 p|q, %2, %3, c;");
  BOTH("setp.le.or.u32 p|q, %2, %3, !c;");
  BOTH("setp.ne.xor.s32 p|q, %2, 7, c;");
  BOTH("{ .reg .b32 d; lop3.and.b32 d|p, %2, %3, 1, 0x80, !c; lop3.or.b32 d|q, %2, %3, 1, 0x80, c; }");
}

static void check() {
  Values<int, N> in;
  Values<int, N * Kinds> out;
  for (int i = 0; i < N; i++)
    in.host[i] = i;
  in.write();
  run<<<1, N>>>(in.device, out.device);
  out.read();
  for (int v = 0; v < N; v++) {
    const int other = 31 - v, *o = out.host + v * Kinds;
    const bool c = v > 20, all = v & other & 1;
    EXPECT(o[0] == (v < other && c) && o[1] == (v >= other && c));
    EXPECT(o[2] == (v <= other || !c) && o[3] == (v > other || !c));
    EXPECT(o[4] == ((v != 7) != c) && o[5] == ((v == 7) != c));
    EXPECT(o[6] == (all && !c) && o[7] == (all || c));
  }
}
} // namespace choices_of_ptx
#undef BOTH

// Inline PTX on integers: modes of prmt, top bits of signed numbers, products
// of 24 bits, saturating sums, halves clamped at zero, packed conversions.
namespace integers_of_ptx {
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
/* The bytes of b and a, most significant first, selected by four digits. */
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

static void check() {
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
}
} // namespace integers_of_ptx
#undef WORD

// Loads, stores, atomics and asynchronous copies of inline PTX under a predicate touch memory only where it holds.
namespace predicated_memory {
// Where a lane's number is odd the pointers are null.
__global__ void some(int *data, int *sum, int *out) {
  __shared__ int copy[32];
  int lane = lane_id(), even = lane % 2 == 0, value = -1;
  int *own = even ? data + lane : nullptr;
  copy[lane] = -2;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p ld.global.s32 %0, [%1]; }" : "+r"(value) : "l"(own), "r"(even) : "memory");
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p cp.async.ca.shared.global [%0], [%1], 4; }" ::"r"(
                   (unsigned)__cvta_generic_to_shared(copy + lane)),
               "l"(own), "r"(even)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  asm volatile("{ .reg .pred p; setp.eq.s32 p, %2, 0; @!p red.global.add.s32 [%0], %1; }" ::"l"(even ? sum : nullptr), "r"(value), "r"(even)
               : "memory");
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p st.global.s32 [%0], %1; }" ::"l"(own), "r"(7), "r"(even) : "memory");
  out[lane] = value, out[32 + lane] = copy[lane];
}

static void check() {
  Values<int, 32> data;
  Values<int, 1> sum;
  Values<int, 64> out;
  for (int i = 0; i < 32; i++)
    data.host[i] = 100 + i;
  data.write();
  some<<<1, 32>>>(data.device, sum.device, out.device);
  data.read(), sum.read(), out.read();
  int expected = 0;
  for (int i = 0; i < 32; i++) {
    const bool even = i % 2 == 0;
    expected += even ? 100 + i : 0;
    EXPECT(out.host[i] == (even ? 100 + i : -1) && out.host[32 + i] == (even ? 100 + i : -2));
    EXPECT(data.host[i] == (even ? 7 : 100 + i));
  }
  EXPECT(sum.host[0] == expected);
}
} // namespace predicated_memory

// Inline PTX with predicates, several instructions and registers of its own.
namespace predicated_ptx {
__global__ void clamp(const int *in, int *out) {
  int v;
  asm("{ .reg .pred p;\n"
      "  .reg .s32 t;\n"
      "  setp.gt.s32 p, %1, 10;\n"
      "  mov.s32 t, %1;\n"
      "  @p mov.s32 t, 10;\n"
      "  @!p add.s32 t, t, 1;\n"
      "  selp.s32 %0, t, 0, p;\n"
      "  @!p mov.s32 %0, t; }"
      : "=r"(v)
      : "r"(in[threadIdx.x]));
  out[threadIdx.x] = v;
}

static void check() {
  Values<int, 20> in, out;
  for (int i = 0; i < 20; i++)
    in.host[i] = i;
  in.write();
  clamp<<<1, 20>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 20; i++)
    EXPECT(out.host[i] == (i > 10 ? 10 : i + 1));
}
} // namespace predicated_ptx

// CUDA's SIMD functions on halves and bytes of words: wrapping, saturating, differences, averages, extremes, comparisons, sums.
namespace video_instructions {
enum { N = 256 };

// NAME, bits of an element, signed, and the result of elements x and y.
#define OPERATIONS(X)                                                                                        \
  X(__vadd2, 16, true, x + y) X(__vadd4, 8, true, x + y)                                                     \
  X(__vaddss2, 16, true, clamp(x + y, 16, true)) X(__vaddss4, 8, true, clamp(x + y, 8, true))                \
  X(__vaddus2, 16, false, clamp(x + y, 16, false)) X(__vaddus4, 8, false, clamp(x + y, 8, false))            \
  X(__vsub2, 16, true, x - y) X(__vsub4, 8, true, x - y)                                                     \
  X(__vsubss2, 16, true, clamp(x - y, 16, true)) X(__vsubss4, 8, true, clamp(x - y, 8, true))                \
  X(__vsubus2, 16, false, clamp(x - y, 16, false)) X(__vsubus4, 8, false, clamp(x - y, 8, false))            \
  X(__vabsdiffs2, 16, true, x > y ? x - y : y - x) X(__vabsdiffs4, 8, true, x > y ? x - y : y - x)           \
  X(__vabsdiffu2, 16, false, x > y ? x - y : y - x) X(__vabsdiffu4, 8, false, x > y ? x - y : y - x)         \
  X(__vavgs2, 16, true, (x + y + (x + y >= 0)) >> 1) X(__vavgs4, 8, true, (x + y + (x + y >= 0)) >> 1)       \
  X(__vavgu2, 16, false, (x + y + 1) >> 1) X(__vavgu4, 8, false, (x + y + 1) >> 1)                           \
  X(__vmaxs2, 16, true, x > y ? x : y) X(__vmaxs4, 8, true, x > y ? x : y)                                   \
  X(__vmaxu2, 16, false, x > y ? x : y) X(__vmaxu4, 8, false, x > y ? x : y)                                 \
  X(__vmins2, 16, true, x < y ? x : y) X(__vmins4, 8, true, x < y ? x : y)                                   \
  X(__vminu2, 16, false, x < y ? x : y) X(__vminu4, 8, false, x < y ? x : y)                                 \
  X(__vseteq2, 16, true, x == y) X(__vseteq4, 8, true, x == y)                                               \
  X(__vsetgts2, 16, true, x > y) X(__vsetgtu4, 8, false, x > y)                                              \
  X(__vsetles4, 8, true, x <= y) X(__vsetltu2, 16, false, x < y)                                             \
  X(__vcmpne2, 16, true, x != y ? -1 : 0) X(__vcmpges4, 8, true, x >= y ? -1 : 0)                            \
  X(__vcmpgeu4, 8, false, x >= y ? -1 : 0) X(__vcmplts2, 16, true, x < y ? -1 : 0)

#define COUNT(...) +1
enum { Kinds = 0 OPERATIONS(COUNT) };

__global__ void elements(const unsigned *a, const unsigned *b, unsigned *out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, x = a[t], y = b[t], *o = out + t * Kinds;
#define CALL(name, bits, is_signed, result) *o++ = name(x, y);
  OPERATIONS(CALL)
}

__global__ void alone(const unsigned *a, const unsigned *b, unsigned *out) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, x = a[t], y = b[t], *o = out + t * 6;
  o[0] = __vsads2(x, y), o[1] = __vsads4(x, y), o[2] = __vsadu2(x, y), o[3] = __vsadu4(x, y);
  o[4] = __vabsss4(x), o[5] = __vneg2(x);
}

static long long clamp(long long v, int bits, bool is_signed) {
  const long long least = is_signed ? -(1ll << (bits - 1)) : 0, most = least + (1ll << bits) - 1;
  return v < least ? least : v > most ? most : v;
}

static long long element(unsigned word, int n, int bits, bool is_signed) {
  const long long v = word >> n * bits & ((1u << bits) - 1);
  return is_signed && v >> (bits - 1) ? v - (1ll << bits) : v;
}

template <class F> static unsigned each(unsigned a, unsigned b, int bits, bool is_signed, F f) {
  unsigned word = 0;
  for (int n = 0; n < 32 / bits; n++)
    word |= ((unsigned)f(element(a, n, bits, is_signed), element(b, n, bits, is_signed)) & ((1u << bits) - 1)) << n * bits;
  return word;
}

static unsigned sum_of_differences(unsigned a, unsigned b, int bits, bool is_signed) {
  unsigned sum = 0;
  each(a, b, bits, is_signed, [&](long long x, long long y) { return sum += x > y ? x - y : y - x; });
  return sum;
}

static void check() {
  static Values<unsigned, N> a, b;
  static Values<unsigned, N * Kinds> out;
  static Values<unsigned, N * 6> single;
  const unsigned edges[] = {0, 0x80008000, 0x7fff7fff, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x00010001, 0x01010101};
  for (int i = 0; i < N; i++) {
    a.host[i] = i < 64 ? edges[i % 8] : i * 2654435761u;
    b.host[i] = i < 64 ? edges[i / 8] : i * 2246822519u;
  }
  a.write(), b.write();
  elements<<<N / 64, 64>>>(a.device, b.device, out.device);
  alone<<<N / 64, 64>>>(a.device, b.device, single.device);
  out.read(), single.read();
  for (int i = 0; i < N; i++) {
    const unsigned *o = out.host + i * Kinds, *s = single.host + i * 6, x = a.host[i], y = b.host[i];
#define CHECK_ONE(name, bits, is_signed, result)                                                             \
  EXPECT(*o++ == each(x, y, bits, is_signed, [](long long x, long long y) -> long long { return result; }));
    OPERATIONS(CHECK_ONE)
    EXPECT(s[0] == sum_of_differences(x, y, 16, true) && s[1] == sum_of_differences(x, y, 8, true));
    EXPECT(s[2] == sum_of_differences(x, y, 16, false) && s[3] == sum_of_differences(x, y, 8, false));
    EXPECT(s[4] == each(x, 0, 8, true, [](long long x, long long) { return clamp(x < 0 ? -x : x, 8, true); }));
    EXPECT(s[5] == each(x, 0, 16, true, [](long long x, long long) { return -x; }));
  }
}
} // namespace video_instructions
#undef OPERATIONS
#undef COUNT
#undef CALL
#undef CHECK_ONE

// cvt in inline PTX with .sat, .relu, .satfinite and directions, to floats of 16 bits, to tf32 and between integers.
namespace conversions_clamp {
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

static void check() {
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
}
} // namespace conversions_clamp
#undef ONE

int main() {
  behaviour(bit_fields_of_ptx::check);
  behaviour(branches_of_ptx::check);
  behaviour(choices_of_ptx::check);
  behaviour(integers_of_ptx::check);
  behaviour(predicated_memory::check);
  behaviour(predicated_ptx::check);
  behaviour(video_instructions::check);
  behaviour(conversions_clamp::check);
  return finish();
}
