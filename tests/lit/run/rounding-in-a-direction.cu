// __fadd_rd and the like: float and double arithmetic and conversions rounded
// down, up or to zero equal the results of the host's processor in this mode.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -frounding-math %s -o %t %link -lm
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json floats launches=1 flops.fp32.add=3072 flops.fp32.mul=1536 flops.fp32.fma=3072 flops.fp32.div=3072 flops.fp32.sqrt=1536
// CHECK: all right
#include "lanes.h"
#include <cfenv>
#include <cmath>

enum { N = 512, OPERATIONS = 7 };

#define ROUNDED(type, r, o, x, y)                                                                            \
  o[0] = type##add_##r(x, y), o[1] = type##sub_##r(x, y), o[2] = type##mul_##r(x, y), o[3] = type##div_##r(x, y); \
  o[5] = type##rcp_##r(y)

__global__ void floats(const float *a, const float *b, const float *c, float *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[t], y = b[t], z = c[t], *o = out + t * 3 * OPERATIONS;
  ROUNDED(__f, rz, o, x, y), o[4] = __fmaf_rz(x, y, z), o[6] = __fsqrt_rz(x);
  o += OPERATIONS;
  ROUNDED(__f, rd, o, x, y), o[4] = __fmaf_rd(x, y, z), o[6] = __fsqrt_rd(x);
  o += OPERATIONS;
  ROUNDED(__f, ru, o, x, y), o[4] = __fmaf_ru(x, y, z), o[6] = __fsqrt_ru(x);
}

__global__ void doubles(const double *a, const double *b, const double *c, double *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  double x = a[t], y = b[t], z = c[t], *o = out + t * 3 * OPERATIONS;
  ROUNDED(__d, rz, o, x, y), o[4] = __fma_rz(x, y, z), o[6] = __dsqrt_rz(x);
  o += OPERATIONS;
  ROUNDED(__d, rd, o, x, y), o[4] = __fma_rd(x, y, z), o[6] = __dsqrt_rd(x);
  o += OPERATIONS;
  ROUNDED(__d, ru, o, x, y), o[4] = __fma_ru(x, y, z), o[6] = __dsqrt_ru(x);
}

__global__ void conversions(const double *a, const long long *n, float *f, double *d) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float *o = f + 9 * t;
  o[0] = __double2float_rz(a[t]), o[1] = __double2float_rd(a[t]), o[2] = __double2float_ru(a[t]);
  o[3] = __ll2float_rz(n[t]), o[4] = __ll2float_rd(n[t]), o[5] = __ll2float_ru(n[t]);
  o[6] = __uint2float_rz(n[t]), o[7] = __int2float_rd(n[t]), o[8] = __int2float_ru(n[t]);
  d[3 * t] = __ll2double_rz(n[t]), d[3 * t + 1] = __ll2double_rd(n[t]), d[3 * t + 2] = __ull2double_ru(n[t]);
}

static unsigned long long seed = 1;
static unsigned random_bits() { return (seed = seed * 6364136223846793005ull + 1442695040888963407ull) >> 33; }

// Numbers of many sizes, and edge cases: zeros, infinities, the greatest and the least.
static double number(int i) {
  static const double edges[] = {0.0, -0.0, INFINITY, -INFINITY, 3.4028234663852886e38, -3.4028234663852886e38, 1e-45, 1, -1};
  if (i % 4 == 0)
    return edges[random_bits() % 9];
  return std::ldexp((int)random_bits() * 2147483648.0 + random_bits(), (int)(random_bits() % 60) - 90);
}

static const int modes[] = {FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

// The same NaN-ness, or the same bits.
template <class T> static bool same(T x, T y) { return x != x ? y != y : !memcmp(&x, &y, sizeof x); }

template <class T> static void check(const T *a, const T *b, const T *c, const T *out) {
  for (int t = 0; t < N; t++)
    for (int m = 0; m < 3; m++) {
      const volatile T x = a[t], y = b[t], z = c[t];
      volatile T expected[OPERATIONS];
      std::fesetround(modes[m]);
      expected[0] = x + y, expected[1] = x - y, expected[2] = x * y, expected[3] = x / y, expected[4] = std::fma(x, y, z);
      expected[5] = 1 / y, expected[6] = std::sqrt(x);
      std::fesetround(FE_TONEAREST);
      for (int o = 0; o < OPERATIONS; o++)
        EXPECT(same<T>(out[(t * 3 + m) * OPERATIONS + o], expected[o]));
    }
}

static Values<float, N> fa, fb, fc;
static Values<double, N> da, db, dc;
static Values<float, N * 3 * OPERATIONS> fo;
static Values<double, N * 3 * OPERATIONS> dout;
static Values<long long, N> n;
static Values<float, 9 * N> cf;
static Values<double, 3 * N> cd;

int main() {
  for (int i = 0; i < N; i++) {
    fa.host[i] = number(i), fb.host[i] = number(i / 4), fc.host[i] = i % 3 ? number(1) : -fa.host[i] * fb.host[i];
    da.host[i] = number(i) + 1e-9 * (i % 5), db.host[i] = number(i / 4), dc.host[i] = i % 3 ? number(1) : -da.host[i] * db.host[i];
    n.host[i] = (long long)((unsigned long long)random_bits() << 33 ^ (unsigned long long)random_bits() << 3) >> (i % 60);
  }
  n.host[0] = 0x7fffffffffffffffll, n.host[1] = -n.host[0] - 1, n.host[2] = -1, n.host[3] = 0xffffffffll;
  fa.write(), fb.write(), fc.write(), da.write(), db.write(), dc.write(), n.write();
  floats<<<N / 64, 64>>>(fa.device, fb.device, fc.device, fo.device);
  doubles<<<N / 64, 64>>>(da.device, db.device, dc.device, dout.device);
  conversions<<<N / 64, 64>>>(da.device, n.device, cf.device, cd.device);
  fo.read(), dout.read(), cf.read(), cd.read();
  check<float>(fa.host, fb.host, fc.host, fo.host);
  check<double>(da.host, db.host, dc.host, dout.host);
  for (int i = 0; i < N; i++) {
    for (int m = 0; m < 3; m++) {
      const volatile double x = da.host[i];
      const volatile long long k = n.host[i];
      std::fesetround(modes[m]);
      const volatile float narrow = (float)x, whole = (float)k;
      const volatile float word = m == 0 ? (float)(unsigned)k : (float)(int)k;
      const volatile double wide = m == 2 ? (double)(unsigned long long)k : (double)k;
      std::fesetround(FE_TONEAREST);
      EXPECT(same<float>(cf.host[9 * i + m], narrow));
      EXPECT(same<float>(cf.host[9 * i + 3 + m], whole));
      EXPECT(same<float>(cf.host[9 * i + 6 + m], word));
      EXPECT(same<double>(cd.host[3 * i + m], wide));
    }
  }
  return finish();
}
