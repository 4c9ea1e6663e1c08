// Functions of integers: bits, bytes, products, averages, differences.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include <math_constants.h>
#include "lanes.h"

// Bit fields of structures in device memory, signed and unsigned.
namespace bit_fields {
struct Packed {
  unsigned a : 5;
  int b : 6;
  unsigned c : 21;
};
__global__ void change(Packed *p) {
  p[threadIdx.x].a += 3;
  p[threadIdx.x].b = -(int)threadIdx.x;
  p[threadIdx.x].c = 1u << 20 | threadIdx.x;
}

static void check() {
  Values<Packed, 32> p;
  for (int i = 0; i < 32; i++)
    p.host[i].a = i;
  p.write();
  change<<<1, 32>>>(p.device);
  p.read();
  for (int i = 0; i < 32; i++)
    EXPECT(p.host[i].a == (i + 3u) % 32 && p.host[i].b == -i && p.host[i].c == (1u << 20 | i));
}
} // namespace bit_fields

// __popc, __clz, __ffs and their forms of 64 bits, at 0 and at the ends too.
namespace bits_count {
__global__ void count(const unsigned long long *in, int *out) {
  unsigned long long v = in[threadIdx.x];
  int *o = out + 6 * threadIdx.x;
  o[0] = __popc((unsigned)v), o[1] = __clz((int)v), o[2] = __ffs((int)v);
  o[3] = __popcll(v), o[4] = __clzll((long long)v), o[5] = __ffsll((long long)v);
}

static void check() {
  Values<unsigned long long, 5> in;
  Values<int, 30> out;
  const unsigned long long v[5] = {0, 1, ~0ull, 1ull << 63, 0xf0f00000ull};
  const int expected[30] = {0,  32, 0, 0, 64, 0, 1, 31, 1,  1, 63, 1,  32, 0,  1,
                            64, 0,  1, 0, 32, 0, 1, 0,  64, 8, 0,  21, 8,  32, 21};
  memcpy(in.host, v, sizeof v);
  in.write();
  count<<<1, 5>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 30; i++)
    EXPECT(out.host[i] == expected[i]);
}
} // namespace bits_count

// __brev and __brevll.
namespace bits_reverse {
__global__ void reverse(unsigned *out, unsigned long long *wide) {
  out[threadIdx.x] = __brev(1u << threadIdx.x | 1u);
  wide[threadIdx.x] = __brevll(1ull << threadIdx.x);
}

static void check() {
  Values<unsigned, 32> out;
  Values<unsigned long long, 32> wide;
  reverse<<<1, 32>>>(out.device, wide.device);
  out.read(), wide.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == (1u << (31 - i) | 1u << 31) && wide.host[i] == 1ull << (63 - i));
}
} // namespace bits_reverse

// __byte_perm picks any four of eight bytes; a selector's bit 3 repeats the sign of the byte.
namespace bytes_permute {
__global__ void permute(const unsigned *selectors, unsigned *out) {
  out[threadIdx.x] = __byte_perm(0x83020100u, 0x07060504u, selectors[threadIdx.x]);
}

static void check() {
  Values<unsigned, 4> selectors, out;
  const unsigned s[4] = {0x3210, 0x7654, 0x0123, 0x4407},
                 expected[4] = {0x83020100u, 0x07060504u, 0x00010283u, 0x04040007u};
  memcpy(selectors.host, s, sizeof s);
  selectors.write();
  permute<<<1, 4>>>(selectors.device, out.device);
  out.read();
  for (int i = 0; i < 4; i++)
    EXPECT(out.host[i] == expected[i]);
}
} // namespace bytes_permute

// __funnelshift_l and _r take the shift modulo 32, _lc and _rc stop at 32.
namespace funnel_shifts {
__global__ void shift(unsigned *out) {
  unsigned s = threadIdx.x, low = 0x89abcdefu, high = 0x01234567u;
  out[4 * s] = __funnelshift_l(low, high, s), out[4 * s + 1] = __funnelshift_r(low, high, s);
  out[4 * s + 2] = __funnelshift_lc(low, high, s), out[4 * s + 3] = __funnelshift_rc(low, high, s);
}

static void check() {
  Values<unsigned, 160> out;
  shift<<<1, 40>>>(out.device);
  out.read();
  const unsigned long long both = 0x0123456789abcdefull;
  for (int s = 0; s < 40; s++) {
    int wrapped = s % 32, clamped = s < 32 ? s : 32;
    EXPECT(out.host[4 * s] == (unsigned)(both << wrapped >> 32));
    EXPECT(out.host[4 * s + 1] == (unsigned)(both >> wrapped));
    EXPECT(out.host[4 * s + 2] == (unsigned)(both << clamped >> 32));
    EXPECT(out.host[4 * s + 3] == (unsigned)(both >> clamped));
  }
}
} // namespace funnel_shifts

// Division, remainder and shifts of all widths, and of 128-bit integers.
namespace integer_arithmetic {
__global__ void run(const long long *a, const long long *b, long long *out) {
  long long x = a[threadIdx.x], y = b[threadIdx.x], *o = out + 6 * threadIdx.x;
  o[0] = x / y, o[1] = x % y, o[2] = (int)x / (int)y, o[3] = (long long)((unsigned long long)x / 10);
  o[4] = (short)x >> 3;
  o[5] = (long long)((unsigned __int128)x * (unsigned __int128)y >> 70);
}

static void check() {
  Values<long long, 3> a, b;
  Values<long long, 18> out;
  const long long x[3] = {-1234567890123ll, 99, 1ll << 61}, y[3] = {1000, -7, 12345};
  memcpy(a.host, x, sizeof x), memcpy(b.host, y, sizeof y);
  a.write(), b.write();
  run<<<1, 3>>>(a.device, b.device, out.device);
  out.read();
  for (int i = 0; i < 3; i++) {
    const long long *o = out.host + 6 * i;
    EXPECT(o[0] == x[i] / y[i] && o[1] == x[i] % y[i] && o[2] == (int)x[i] / (int)y[i]);
    EXPECT(o[3] == (long long)((unsigned long long)x[i] / 10) && o[4] == (short)x[i] >> 3);
    EXPECT(o[5] == (long long)((unsigned __int128)x[i] * (unsigned __int128)y[i] >> 70));
  }
}
} // namespace integer_arithmetic

// __mul24 and __umul24 use the low 24 bits of each factor.
namespace multiply_24_bits {
__global__ void multiply(int *out, unsigned *u) {
  out[threadIdx.x] = __mul24(0x01000003 + (int)threadIdx.x, -5);
  u[threadIdx.x] = __umul24(0xff000004u + threadIdx.x, 7u);
}

static void check() {
  Values<int, 8> out;
  Values<unsigned, 8> u;
  multiply<<<1, 8>>>(out.device, u.device);
  out.read(), u.read();
  for (int i = 0; i < 8; i++)
    EXPECT(out.host[i] == (3 + i) * -5 && u.host[i] == (4u + i) * 7);
}
} // namespace multiply_24_bits

// __mulhi, __umulhi, __mul64hi and __umul64hi: the upper halves of products.
namespace multiply_high {
__global__ void multiply(const long long *a, const long long *b, long long *out) {
  int t = threadIdx.x;
  out[4 * t] = __mulhi((int)a[t], (int)b[t]);
  out[4 * t + 1] = __umulhi((unsigned)a[t], (unsigned)b[t]);
  out[4 * t + 2] = __mul64hi(a[t], b[t]);
  out[4 * t + 3] = (long long)__umul64hi((unsigned long long)a[t], (unsigned long long)b[t]);
}

static void check() {
  Values<long long, 4> a, b;
  Values<long long, 16> out;
  const long long x[4] = {-1, 1ll << 62, 0x123456789abcdefll, -7},
                  y[4] = {-1, -(1ll << 62), 0xfedcba987654321ll, 3};
  memcpy(a.host, x, sizeof x), memcpy(b.host, y, sizeof y);
  a.write(), b.write();
  multiply<<<1, 4>>>(a.device, b.device, out.device);
  out.read();
  for (int i = 0; i < 4; i++) {
    EXPECT(out.host[4 * i] == (int)((long long)(int)x[i] * (int)y[i] >> 32));
    EXPECT(out.host[4 * i + 1] == (long long)((unsigned long long)(unsigned)x[i] * (unsigned)y[i] >> 32));
    EXPECT(out.host[4 * i + 2] == (long long)((__int128)x[i] * y[i] >> 64));
    EXPECT(out.host[4 * i + 3] ==
           (long long)((unsigned __int128)(unsigned long long)x[i] * (unsigned long long)y[i] >> 64));
  }
}
} // namespace multiply_high

// __sad and __usad: |a - b| + c.
namespace absolute_differences {
__global__ void differ(unsigned *out) {
  int t = threadIdx.x;
  out[2 * t] = __sad(t - 4, 4 - t, 10u);
  out[2 * t + 1] = __usad((unsigned)t, 0xfffffff0u, 1u);
}

static void check() {
  Values<unsigned, 16> out;
  differ<<<1, 8>>>(out.device);
  out.read();
  for (int t = 0; t < 8; t++) {
    int difference = 2 * t - 8;
    EXPECT(out.host[2 * t] == 10u + (difference < 0 ? -difference : difference));
    EXPECT(out.host[2 * t + 1] == 0xfffffff0u - t + 1);
  }
}
} // namespace absolute_differences

// __hadd, __rhadd, __uhadd and __urhadd: averages without overflow.
namespace averages {
__global__ void average(int *out, unsigned *u) {
  int t = threadIdx.x;
  out[2 * t] = __hadd(0x7ffffff0 + t, 0x7fffffff), out[2 * t + 1] = __rhadd(-t, 0);
  u[2 * t] = __uhadd(0xfffffff0u + t, 0xffffffffu), u[2 * t + 1] = __urhadd(0xfffffff0u + t, 0xffffffffu);
}

static void check() {
  Values<int, 16> out;
  Values<unsigned, 16> u;
  average<<<1, 8>>>(out.device, u.device);
  out.read(), u.read();
  for (long long t = 0; t < 8; t++) {
    EXPECT(out.host[2 * t] == (0x7ffffff0ll + t + 0x7fffffffll) >> 1 && out.host[2 * t + 1] == (-t + 1) >> 1);
    EXPECT(u.host[2 * t] == (0xfffffff0ll + t + 0xffffffffll) >> 1 &&
           u.host[2 * t + 1] == (0xfffffff0ll + t + 0xffffffffll + 1) >> 1);
  }
}
} // namespace averages

// __dp4a, __dp2a_lo and __dp2a_hi of words and of vectors, and CUDA's names of numbers.
namespace dot_products_by_function {
enum { N = 16, Kinds = 8 };

__global__ void dot(const int *a, const int *b, int *out, float *numbers) {
  const int x = a[threadIdx.x], y = b[threadIdx.x];
  int *o = out + threadIdx.x * Kinds;
  *o++ = __dp4a(x, y, 5), *o++ = (int)__dp4a((unsigned)x, (unsigned)y, 5u);
  *o++ = __dp2a_lo(x, y, 5), *o++ = __dp2a_hi(x, y, 5), *o++ = (int)__dp2a_hi((unsigned)x, (unsigned)y, 5u);
  *o++ = __dp4a(__builtin_bit_cast(char4, x), __builtin_bit_cast(char4, y), 5);
  *o++ = __dp2a_lo(__builtin_bit_cast(short2, x), __builtin_bit_cast(char4, y), 5);
  *o++ = (int)__dp2a_hi(__builtin_bit_cast(ushort2, x), __builtin_bit_cast(uchar4, y), 5u);
  numbers[0] = CUDART_INF_F, numbers[1] = CUDART_PI_F, numbers[2] = CUDART_MAX_NORMAL_F;
}

static void check() {
  Values<int, N> a, b;
  Values<int, N * Kinds> out;
  Values<float, 3> numbers;
  for (int i = 0; i < N; i++)
    a.host[i] = i * 0x1234567 ^ 0x80ff7f01, b.host[i] = i * 0x7654321 ^ 0xff8001fe;
  a.write(), b.write();
  dot<<<1, N>>>(a.device, b.device, out.device, numbers.device);
  out.read(), numbers.read();
  for (int i = 0; i < N; i++) {
    const int x = a.host[i], y = b.host[i], *o = out.host + i * Kinds;
    int four = 5, low = 5, high = 5;
    unsigned four_unsigned = 5, high_unsigned = 5;
    for (int k = 0; k < 4; k++) {
      four += (signed char)(x >> 8 * k) * (signed char)(y >> 8 * k);
      four_unsigned += (unsigned char)(x >> 8 * k) * (unsigned char)(y >> 8 * k);
    }
    for (int k = 0; k < 2; k++) {
      low += (short)(x >> 16 * k) * (signed char)(y >> 8 * k);
      high += (short)(x >> 16 * k) * (signed char)(y >> (8 * k + 16));
      high_unsigned += (unsigned short)(x >> 16 * k) * (unsigned char)(y >> (8 * k + 16));
    }
    EXPECT(o[0] == four && o[1] == (int)four_unsigned && o[2] == low && o[3] == high && o[4] == (int)high_unsigned);
    EXPECT(o[5] == four && o[6] == low && o[7] == (int)high_unsigned);
  }
  EXPECT(numbers.host[0] > 3.4e38f && numbers.host[1] == 3.14159274f && numbers.host[2] == 3.40282347e38f);
}
} // namespace dot_products_by_function

// dp4a, signed, unsigned and mixed, as inline PTX.
namespace dot_products_of_bytes {
__global__ void dot(const int *a, const int *b, int *out) {
  int t = threadIdx.x, s, m;
  unsigned u;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(a[t]), "r"(b[t]), "r"(100));
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(u) : "r"(a[t]), "r"(b[t]), "r"(100));
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(m) : "r"(a[t]), "r"(b[t]), "r"(100));
  out[3 * t] = s, out[3 * t + 1] = (int)u, out[3 * t + 2] = m;
}

static void check() {
  Values<int, 16> a, b;
  Values<int, 48> out;
  for (int i = 0; i < 16; i++)
    a.host[i] = i * 0x1234567 ^ 0x80ff7f01, b.host[i] = i * 0x7654321 ^ 0xff8001fe;
  a.write(), b.write();
  dot<<<1, 16>>>(a.device, b.device, out.device);
  out.read();
  for (int i = 0; i < 16; i++) {
    int s = 100, u = 100, m = 100;
    for (int k = 0; k < 32; k += 8) {
      s += (signed char)(a.host[i] >> k) * (signed char)(b.host[i] >> k);
      u += (unsigned char)(a.host[i] >> k) * (unsigned char)(b.host[i] >> k);
      m += (unsigned char)(a.host[i] >> k) * (signed char)(b.host[i] >> k);
    }
    EXPECT(out.host[3 * i] == s && out.host[3 * i + 1] == u && out.host[3 * i + 2] == m);
  }
}
} // namespace dot_products_of_bytes

int main() {
  behaviour(bit_fields::check);
  behaviour(bits_count::check);
  behaviour(bits_reverse::check);
  behaviour(bytes_permute::check);
  behaviour(funnel_shifts::check);
  behaviour(integer_arithmetic::check);
  behaviour(multiply_24_bits::check);
  behaviour(multiply_high::check);
  behaviour(absolute_differences::check);
  behaviour(averages::check);
  behaviour(dot_products_by_function::check);
  behaviour(dot_products_of_bytes::check);
  return finish();
}
