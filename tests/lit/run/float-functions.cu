// Functions of floating-point numbers at their edges: NaN, zero, infinities, rounding, saturation.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include <cmath>
#include "lanes.h"

// isnan, isinf, isfinite and signbit in device code.
namespace classification {
__global__ void classify(const float *in, int *out) {
  float x = in[threadIdx.x];
  double d = x;
  out[threadIdx.x] = (isnan(x) != 0) + 2 * (isinf(x) != 0) + 4 * (isfinite(x) != 0) + 8 * (signbit(x) != 0) +
                     16 * (isnan(d) != 0) + 32 * (isinf(d) != 0);
}

static void check() {
  Values<float, 5> in;
  Values<int, 5> out;
  const float v[5] = {NAN, INFINITY, -INFINITY, -0.0f, 1.0f};
  const int expected[5] = {17, 34, 42, 12, 4};
  memcpy(in.host, v, sizeof v);
  in.write();
  classify<<<1, 5>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 5; i++)
    EXPECT((out.host[i] & (i == 0 ? ~8 : ~0)) == expected[i]);
}
} // namespace classification

// Integer division by zero and its remainder give ones, as on an H200, and the least number divided by -1 is itself; the
// kernel goes on.
namespace division_by_zero {
template <class T> __global__ void divide(const T *x, const T *y, T *out) {
  const int i = threadIdx.x;
  out[2 * i] = x[i] / y[i];
  out[2 * i + 1] = x[i] % y[i];
}

template <class T> void try_all(T least) {
  Values<T, 4> x, y;
  Values<T, 8> out;
  x.host[0] = 7, x.host[1] = (T)-7, x.host[2] = 0, x.host[3] = least;
  y.host[3] = (T)-1;
  x.write(), y.write();
  divide<<<1, 4>>>(x.device, y.device, out.device);
  out.read();
  // A GPU divides numbers of up to 32 bits in 32 bits.
  const T ones = (T)-1, small_ones = (T)0xffffffffu;
  for (int i = 0; i < 6; i++)
    EXPECT(out.host[i] == (i / 2 == 1 ? ones : small_ones));
  EXPECT(out.host[6] == (least < 0 ? least : (T)(least / ones)) && out.host[7] == (least < 0 ? 0 : (T)(least % ones)));
}

static void check() {
  try_all<int>(-2147483647 - 1);
  try_all<unsigned>(5);
  try_all<long long>(-9223372036854775807ll - 1);
  try_all<unsigned long long>(5);
}
} // namespace division_by_zero

// The fast functions of single precision come within their documented errors.
namespace fast_functions {
__global__ void run(const float *in, float *out) {
  float x = in[threadIdx.x], *o = out + 8 * threadIdx.x;
  o[0] = __sinf(x), o[1] = __cosf(x), o[2] = __expf(x), o[3] = __logf(x), o[4] = __log2f(x),
  o[5] = __powf(x, 1.5f);
  o[6] = __fdividef(x, 0.3f), o[7] = __frsqrt_rn(x);
}

static void check() {
  Values<float, 16> in;
  Values<float, 128> out;
  for (int i = 0; i < 16; i++)
    in.host[i] = 0.1f + 0.15f * i;
  in.write();
  run<<<1, 16>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 16; i++) {
    double x = in.host[i];
    const double e[8] = {std::sin(x),  std::cos(x),      std::exp(x), std::log(x),
                         std::log2(x), std::pow(x, 1.5), x / 0.3f,    1 / std::sqrt(x)};
    for (int k = 0; k < 8; k++)
      EXPECT(std::fabs(out.host[8 * i + k] - e[k]) <= 2e-6 * (1 + std::fabs(e[k])));
  }
}
} // namespace fast_functions

// Functions with two results, or splitting a number.
namespace frexp_and_relatives {
__global__ void apart(const float *in, float *out) {
  float x = in[threadIdx.x], *o = out + 6 * threadIdx.x, whole, s, c;
  int exponent;
  o[0] = frexpf(x, &exponent), o[1] = (float)exponent;
  o[2] = modff(x, &whole) + 100 * whole;
  sincosf(x, &s, &c);
  o[3] = s * s + c * c;
  o[4] = ldexpf(x, 3), o[5] = copysignf(x, -1.0f);
}

static void check() {
  Values<float, 8> in;
  Values<float, 48> out;
  for (int i = 0; i < 8; i++)
    in.host[i] = 0.3f + 1.5f * i;
  in.write();
  apart<<<1, 8>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 8; i++) {
    int exponent;
    float x = in.host[i], whole, mantissa = std::frexp(x, &exponent), part = std::modf(x, &whole);
    const float *o = out.host + 6 * i;
    EXPECT(o[0] == mantissa && o[1] == exponent && std::fabs(o[2] - (part + 100 * whole)) < 1e-4);
    EXPECT(std::fabs(o[3] - 1) < 1e-6 && o[4] == 8 * x && o[5] == -x);
  }
}
} // namespace frexp_and_relatives

// fminf, fmaxf, fmin and fmax give the other operand where one is NaN.
namespace minimum_and_maximum_of_nan {
__global__ void extremes(float x, float nan, float *out, double *wide) {
  out[0] = fminf(x, nan), out[1] = fmaxf(nan, x), out[2] = fminf(nan, nan), out[3] = fminf(-0.0f, x),
  out[4] = fmaxf(x, INFINITY);
  wide[0] = fmin((double)nan, (double)x), wide[1] = fmax((double)x, (double)nan);
}

static void check() {
  Values<float, 5> out;
  Values<double, 2> wide;
  extremes<<<1, 1>>>(3.0f, NAN, out.device, wide.device);
  out.read(), wide.read();
  EXPECT(out.host[0] == 3 && out.host[1] == 3 && out.host[2] != out.host[2] && out.host[3] == 0 &&
         out.host[4] == INFINITY);
  EXPECT(wide.host[0] == 3 && wide.host[1] == 3);
}
} // namespace minimum_and_maximum_of_nan

// nan("") and nanf("") in device code, only declared by clang's headers, beside the host's.
namespace nan_by_text {
__global__ void nans(double *doubles, float *floats) {
  *doubles = nan("");
  *floats = std::nanf("1");
}

static void check() {
  Values<double, 1> doubles;
  Values<float, 1> floats;
  nans<<<1, 1>>>(doubles.device, floats.device);
  doubles.read(), floats.read();
  EXPECT(std::isnan(doubles.host[0]));
  EXPECT(std::isnan(floats.host[0]));
  EXPECT(std::isnan(nan("")));
}
} // namespace nan_by_text

// floorf, ceilf, truncf, rintf, roundf and their double forms at halves and at negative numbers.
namespace rounding_mode_of_whole_numbers {
__global__ void run(const double *in, double *out) {
  double d = in[threadIdx.x], *o = out + 8 * threadIdx.x;
  float f = (float)d;
  o[0] = floorf(f), o[1] = ceilf(f), o[2] = truncf(f), o[3] = rintf(f), o[4] = roundf(f);
  o[5] = floor(d), o[6] = rint(d), o[7] = round(d);
}

static void check() {
  Values<double, 4> in;
  Values<double, 32> out;
  const double v[4] = {2.5, -2.5, 3.5, -0.25};
  memcpy(in.host, v, sizeof v);
  in.write();
  run<<<1, 4>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 4; i++) {
    const double *o = out.host + 8 * i, d = v[i];
    EXPECT(o[0] == std::floor(d) && o[1] == std::ceil(d) && o[2] == std::trunc(d) && o[3] == std::rint(d) &&
           o[4] == std::round(d));
    EXPECT(o[5] == std::floor(d) && o[6] == std::rint(d) && o[7] == std::round(d));
  }
}
} // namespace rounding_mode_of_whole_numbers

// __saturatef keeps to [0, 1]; NaN becomes 0.
namespace saturate {
__global__ void run(const float *in, float *out) { out[threadIdx.x] = __saturatef(in[threadIdx.x]); }

static void check() {
  Values<float, 5> in, out;
  const float v[5] = {-3, 0.25f, 1, 7, NAN}, expected[5] = {0, 0.25f, 1, 1, 0};
  memcpy(in.host, v, sizeof v);
  in.write();
  run<<<1, 5>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 5; i++)
    EXPECT(out.host[i] == expected[i]);
}
} // namespace saturate

// __float_as_int and relatives, and the two halves of a double.
namespace conversions_of_bits {
__global__ void convert(unsigned *out, unsigned long long *wide) {
  out[0] = __float_as_uint(1.0f), out[1] = (unsigned)__float_as_int(-2.0f),
  out[2] = __float_as_uint(__int_as_float(0x7f800000));
  out[3] = (unsigned)__double2hiint(-1.5), out[4] = (unsigned)__double2loint(1.0 / 3);
  wide[0] = (unsigned long long)__double_as_longlong(2.0),
  wide[1] = (unsigned long long)__double_as_longlong(__hiloint2double(0x3ff80000, 1));
}

static void check() {
  Values<unsigned, 5> out;
  Values<unsigned long long, 2> wide;
  convert<<<1, 1>>>(out.device, wide.device);
  out.read(), wide.read();
  EXPECT(out.host[0] == 0x3f800000u && out.host[1] == 0xc0000000u && out.host[2] == 0x7f800000u);
  EXPECT(out.host[3] == 0xbff80000u && out.host[4] == 0x55555555u);
  EXPECT(wide.host[0] == 0x4000000000000000ull && wide.host[1] == 0x3ff8000000000001ull);
}
} // namespace conversions_of_bits

// Floating point to integer in the four directions of rounding.
namespace conversions_round {
__global__ void convert(const float *in, int *out) {
  float x = in[threadIdx.x];
  int *o = out + 8 * threadIdx.x;
  o[0] = __float2int_rn(x), o[1] = __float2int_rz(x), o[2] = __float2int_rd(x), o[3] = __float2int_ru(x);
  double d = x;
  o[4] = __double2int_rn(d), o[5] = __double2int_rz(d), o[6] = __double2int_rd(d), o[7] = __double2int_ru(d);
}

static void check() {
  Values<float, 4> in;
  Values<int, 32> out;
  const float v[4] = {2.5f, 3.5f, -2.5f, -0.75f};
  const int expected[4][4] = {{2, 2, 2, 3}, {4, 3, 3, 4}, {-2, -2, -3, -2}, {-1, 0, -1, 0}};
  memcpy(in.host, v, sizeof v);
  in.write();
  convert<<<1, 4>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 8; k++)
      EXPECT(out.host[8 * i + k] == expected[i][k % 4]);
}
} // namespace conversions_round

// Floating point to integer: NaN becomes 0; other values saturate.
namespace conversions_saturate {
__global__ void convert(const float *in, int *i, unsigned *u, long long *l) {
  int t = threadIdx.x;
  i[t] = __float2int_rz(in[t]), u[t] = __float2uint_rz(in[t]), l[t] = __float2ll_rz(in[t]);
}

static void check() {
  Values<float, 6> in;
  Values<int, 6> i;
  Values<unsigned, 6> u;
  Values<long long, 6> l;
  const float v[6] = {NAN, 1e30f, -1e30f, -1.75f, 3.99f, 3e9f};
  memcpy(in.host, v, sizeof v);
  in.write();
  convert<<<1, 6>>>(in.device, i.device, u.device, l.device);
  i.read(), u.read(), l.read();
  const int ei[6] = {0, INT_MAX, INT_MIN, -1, 3, INT_MAX};
  const unsigned eu[6] = {0, UINT_MAX, 0, 0, 3, 3000000000u};
  for (int k = 0; k < 6; k++)
    EXPECT(i.host[k] == ei[k] && u.host[k] == eu[k]);
  EXPECT(l.host[1] == LLONG_MAX && l.host[2] == LLONG_MIN && l.host[3] == -1 && l.host[5] == 3000000000ll);
}
} // namespace conversions_saturate

int main() {
  behaviour(classification::check);
  behaviour(division_by_zero::check);
  behaviour(fast_functions::check);
  behaviour(frexp_and_relatives::check);
  behaviour(minimum_and_maximum_of_nan::check);
  behaviour(nan_by_text::check);
  behaviour(rounding_mode_of_whole_numbers::check);
  behaviour(saturate::check);
  behaviour(conversions_of_bits::check);
  behaviour(conversions_round::check);
  behaviour(conversions_saturate::check);
  return finish();
}
