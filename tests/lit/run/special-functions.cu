// Functions beyond the C library's: inverses of error functions, norms, Bessel functions, sines of multiples of pi, integer
// powers.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link -lm
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cmath>

enum { N = 64, Kinds = 24 };

__global__ void evaluate(const double *in, double *out, float *single) {
  double x = in[threadIdx.x], *o = out + threadIdx.x * Kinds, v[3] = {x, 2, 3};
  float *f = single + threadIdx.x * Kinds, y = (float)x, w[3] = {y, 2, 3};
  o[0] = erfinv(x), o[1] = erfcinv(1 - x), o[2] = normcdf(3 * x), o[3] = normcdfinv(0.5 + x / 2), o[4] = erfcx(20 * x * x);
  o[5] = cyl_bessel_i0(40 * x), o[6] = cyl_bessel_i1(40 * x), o[7] = j0(9 * x), o[8] = j1(9 * x), o[9] = jn(2, 9 * x);
  o[10] = sinpi(5 * x), o[11] = cospi(5 * x), o[12] = rcbrt(x + 2), o[13] = rhypot(x, 2.0), o[14] = norm3d(x, 2, 3);
  o[15] = rnorm3d(x, 2, 3), o[16] = norm4d(x, 2, 3, 4), o[17] = rnorm4d(x, 2, 3, 4), o[18] = norm(3, v), o[19] = rnorm(3, v);
  o[20] = powi(x, 5), o[21] = llrint(9 * x), o[22] = llround(9 * x), sincospi(3 * x, o + 23, v), o[23] += v[0];
  f[0] = erfinvf(y), f[1] = erfcinvf(1 - y), f[2] = normcdff(3 * y), f[3] = normcdfinvf(0.5f + y / 2), f[4] = erfcxf(20 * y * y);
  f[5] = cyl_bessel_i0f(40 * y), f[6] = cyl_bessel_i1f(40 * y), f[7] = j0f(9 * y), f[8] = j1f(9 * y), f[9] = jnf(2, 9 * y);
  f[10] = sinpif(5 * y), f[11] = cospif(5 * y), f[12] = rcbrtf(y + 2), f[13] = rhypotf(y, 2.0f), f[14] = norm3df(y, 2, 3);
  f[15] = rnorm3df(y, 2, 3), f[16] = norm4df(y, 2, 3, 4), f[17] = rnorm4df(y, 2, 3, 4), f[18] = normf(3, w), f[19] = rnormf(3, w);
  f[20] = powif(y, 5), f[21] = llrintf(9 * y), f[22] = llroundf(9 * y), sincospif(3 * y, f + 23, w), f[23] += w[0];
}

// exp(-a * cos(t)) over a half turn, by the trapezoid rule, exact for so smooth a function.
static double bessel(int order, double x) {
  const int steps = 4000;
  long double sum = 0;
  for (int i = 0; i <= steps; i++)
    sum += (i % steps ? 1 : 0.5L) * expl(x * cosl(M_PIl * i / steps)) * cosl(order * M_PIl * i / steps);
  return (double)(sum / steps);
}

static bool near(double value, double expected, double tolerance) {
  return fabs(value - expected) <= tolerance * fmax(fabs(expected), 1e-3);
}

int main() {
  static Values<double, N> in;
  static Values<double, N * Kinds> out;
  static Values<float, N * Kinds> single;
  for (int i = 0; i < N; i++)
    in.host[i] = (i - 31.5) / 32; // exact in fp32
  in.write();
  evaluate<<<1, N>>>(in.device, out.device, single.device);
  out.read(), single.read();
  for (int i = 0; i < N; i++) {
    const double x = in.host[i], *o = out.host + i * Kinds, root = sqrt(x * x + 13);
    const float *f = single.host + i * Kinds;
    EXPECT(near(erf(o[0]), x, 1e-13) && near(erfc(o[1]), 1 - x, 1e-13));
    EXPECT(near(erf(o[3] / sqrt(2.0)), x, 1e-13));
    const double scaled = 20 * x * x, series = 1 / (scaled * sqrt(M_PI)) * (1 - 0.5 / (scaled * scaled) + 0.75 / pow(scaled, 4) - 1.875 / pow(scaled, 6));
    if (scaled < 10)
      EXPECT(near(o[4], exp(scaled * scaled) * erfc(scaled), 1e-12));
    else
      EXPECT(near(o[4], series, 2e-6));
    const double expected[Kinds] = {
        o[0], o[1], 0.5 * erfc(-3 * x / sqrt(2.0)), o[3], o[4], bessel(0, 40 * x), bessel(1, 40 * x), j0(9 * x), j1(9 * x),
        jn(2, 9 * x), sin(M_PI * fmod(5 * x, 2)), cos(M_PI * fmod(5 * x, 2)), 1 / cbrt(x + 2), 1 / hypot(x, 2), root, 1 / root,
        sqrt(x * x + 29), 1 / sqrt(x * x + 29), root, 1 / root, x * x * x * x * x, rint(9 * x), round(9 * x),
        sin(M_PI * fmod(3 * x, 2)) + cos(M_PI * fmod(3 * x, 2))};
    for (int k = 0; k < Kinds; k++) {
      EXPECT(near(o[k], expected[k], 1e-11) && near(f[k], expected[k], k == 3 || k == 1 ? 1e-4 : 3e-5));
      if (!near(o[k], expected[k], 1e-11) || !near(f[k], expected[k], 3e-5))
        printf("x %g, function %d: %.15g and %g, expected %.15g\n", x, k, o[k], f[k], expected[k]);
    }
  }
  return finish();
}
