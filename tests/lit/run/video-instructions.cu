// CUDA's SIMD functions on halves and bytes of words: wrapping, saturating, differences, averages, extremes, comparisons, sums.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

enum { N = 256 };

// NAME, bits of an element, signed, and what becomes of elements x and y.
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

int main() {
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
  return finish();
}
