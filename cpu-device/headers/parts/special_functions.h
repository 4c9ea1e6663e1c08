/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CUDA's functions beyond the C library's: error functions and their inverses, Bessel functions, norms, sines
 * of multiples of pi. All are computed in double precision, including those of floats: their counts differ
 * from NVIDIA's library. */
#ifndef GPUPROF_MINICUDA_SPECIAL_FUNCTIONS_H
#define GPUPROF_MINICUDA_SPECIAL_FUNCTIONS_H

#define GPUPROF_DEVICE extern "C" __device__ inline
/* Both precisions of a function of one number. */
#define GPUPROF_BOTH(name, expression)                                                                       \
  GPUPROF_DEVICE double __nv_##name(double x) { return expression; }                                         \
  GPUPROF_DEVICE float __nv_##name##f(float x) { return (float)__nv_##name(x); }

#define GPUPROF_PI 3.14159265358979323846
#define GPUPROF_ROOT_OF_PI 1.7724538509055160273
#define GPUPROF_INFINITY __builtin_huge_val()

/* Multiples of pi: the remainder of x after whole turns is exact. */
static __device__ inline double gpuprof_turn(double x) { return x - 2 * __builtin_rint(x / 2); }
GPUPROF_BOTH(sinpi, x == __builtin_rint(x) ? 0 * x : __nv_sin(GPUPROF_PI * gpuprof_turn(x)))
GPUPROF_BOTH(cospi, gpuprof_turn(x + 0.5) == __builtin_rint(gpuprof_turn(x + 0.5))
                        ? 0.0
                        : __nv_cos(GPUPROF_PI * gpuprof_turn(x)))
GPUPROF_DEVICE void __nv_sincospi(double x, double *s, double *c) { *s = __nv_sinpi(x), *c = __nv_cospi(x); }
GPUPROF_DEVICE void __nv_sincospif(float x, float *s, float *c) { *s = __nv_sinpif(x), *c = __nv_cospif(x); }

GPUPROF_DEVICE double __nv_rcbrt(double x) { return 1 / __nv_cbrt(x); }
GPUPROF_DEVICE double __nv_rhypot(double a, double b) { return 1 / __nv_hypot(a, b); }
GPUPROF_DEVICE float __nv_rhypotf(float a, float b) { return (float)__nv_rhypot(a, b); }
GPUPROF_DEVICE double __nv_norm3d(double a, double b, double c) { return __nv_hypot(__nv_hypot(a, b), c); }
GPUPROF_DEVICE float __nv_norm3df(float a, float b, float c) { return (float)__nv_norm3d(a, b, c); }
GPUPROF_DEVICE double __nv_rnorm3d(double a, double b, double c) { return 1 / __nv_norm3d(a, b, c); }
GPUPROF_DEVICE float __nv_rnorm3df(float a, float b, float c) { return (float)__nv_rnorm3d(a, b, c); }
GPUPROF_DEVICE double __nv_norm4d(double a, double b, double c, double d) {
  return __nv_hypot(__nv_hypot(a, b), __nv_hypot(c, d));
}
GPUPROF_DEVICE float __nv_norm4df(float a, float b, float c, float d) {
  return (float)__nv_norm4d(a, b, c, d);
}
GPUPROF_DEVICE double __nv_rnorm4d(double a, double b, double c, double d) {
  return 1 / __nv_norm4d(a, b, c, d);
}
GPUPROF_DEVICE float __nv_rnorm4df(float a, float b, float c, float d) {
  return (float)__nv_rnorm4d(a, b, c, d);
}
GPUPROF_DEVICE double __nv_norm(int n, const double *v) {
  double length = 0;
  for (int i = 0; i < n; i++)
    length = __nv_hypot(length, v[i]);
  return length;
}
GPUPROF_DEVICE float __nv_normf(int n, const float *v) {
  double length = 0;
  for (int i = 0; i < n; i++)
    length = __nv_hypot(length, v[i]);
  return (float)length;
}
GPUPROF_DEVICE double __nv_rnorm(int n, const double *v) { return 1 / __nv_norm(n, v); }
GPUPROF_DEVICE float __nv_rnormf(int n, const float *v) { return (float)(1 / (double)__nv_normf(n, v)); }

/* exp(x*x) * erfc(x): beyond 10 by the series in 1 / x. Its terms decrease far beyond the last one used. */
static __device__ inline double gpuprof_erfcx(double x) {
  if (!(x > 10))
    return __nv_exp(x * x) * __nv_erfc(x);
  double sum = 1, term = 1;
  for (int k = 1; k < 24; k++)
    sum += term *= -(2 * k - 1) / (2 * x * x);
  return sum / (x * GPUPROF_ROOT_OF_PI);
}
GPUPROF_BOTH(erfcx, gpuprof_erfcx(x))

/* Newton's method for log(erfc(x)) = log(y), nearly linear from sqrt(-log(y)) on; by symmetry y is at most
 * 1. */
static __device__ inline double gpuprof_erfcinv(double y) {
  if (!(y > 0 && y < 2))
    return y == 0 ? GPUPROF_INFINITY : y == 2 ? -GPUPROF_INFINITY : __builtin_nan("");
  const double z = y > 1 ? 2 - y : y;
  double x = z > 0.5 ? (1 - z) * (GPUPROF_ROOT_OF_PI / 2) : __nv_sqrt(-__nv_log(z));
  for (int i = 0; i < 8; i++) {
    const double value = __nv_erfc(x);
    x += __nv_log(value / z) * value * __nv_exp(x * x) * (GPUPROF_ROOT_OF_PI / 2);
  }
  return y > 1 ? -x : x;
}
/* The same near 0: erfc would lose small values. */
static __device__ inline double gpuprof_erfinv(double y) {
  if (!(y > -0.5 && y < 0.5))
    return y < 0 ? -gpuprof_erfcinv(1 + y) : gpuprof_erfcinv(1 - y);
  double x = y * (GPUPROF_ROOT_OF_PI / 2);
  for (int i = 0; i < 5; i++)
    x -= (__nv_erf(x) - y) * __nv_exp(x * x) * (GPUPROF_ROOT_OF_PI / 2);
  return x;
}
GPUPROF_BOTH(erfcinv, gpuprof_erfcinv(x))
GPUPROF_BOTH(erfinv, gpuprof_erfinv(x))
GPUPROF_DEVICE double __nv_normcdf(double x) { return 0.5 * __nv_erfc(-0.70710678118654752440 * x); }
GPUPROF_BOTH(normcdfinv, -1.41421356237309504880 * gpuprof_erfcinv(2 * x))

/* Modified Bessel functions of the first kind: a series of positive terms, far out the one in 1 / x. */
static __device__ inline double gpuprof_bessel_i(int order, double x) {
  const double size = __builtin_fabs(x);
  double sum = 1, term = 1;
  if (size < 30) {
    for (int k = 1; k < 80; k++)
      sum += term *= size * size / 4 / ((double)k * (k + order));
    sum *= order ? size / 2 : 1;
  } else {
    for (int k = 1; k < 24; k++) {
      const double odd = 2 * k - 1;
      sum += term *= -(4 * order - odd * odd) / (8 * k * size);
    }
    sum *= __nv_exp(size / 2) / __nv_sqrt(2 * GPUPROF_PI * size) * __nv_exp(size / 2);
  }
  return order && x < 0 ? -sum : sum;
}
GPUPROF_BOTH(cyl_bessel_i0, gpuprof_bessel_i(0, x))
GPUPROF_BOTH(cyl_bessel_i1, gpuprof_bessel_i(1, x))

GPUPROF_DEVICE float __nv_half2float(unsigned short h) { return (float)__builtin_bit_cast(_Float16, h); }
GPUPROF_DEVICE unsigned short __nv_float2half_rn(float f) { return __builtin_bit_cast(unsigned short, (_Float16)f); }
GPUPROF_DEVICE double __nv_nan(const signed char *) { return __builtin_nan(""); }
GPUPROF_DEVICE float __nv_nanf(const signed char *) { return __builtin_nanf(""); }
GPUPROF_DEVICE double __nv_rcp64h(double x) {
  return __builtin_bit_cast(double, __builtin_bit_cast(unsigned long long, 1 / x) & 0xffffffff00000000ull);
}
GPUPROF_DEVICE double __nv_nearbyint(double x) { return __nv_rint(x); }
GPUPROF_DEVICE float __nv_nearbyintf(float x) { return __nv_rintf(x); }
GPUPROF_DEVICE long long __nv_llrint(double x) { return __nv_double2ll_rn(x); }
GPUPROF_DEVICE long long __nv_llrintf(float x) { return __nv_float2ll_rn(x); }
GPUPROF_DEVICE long long __nv_llround(double x) { return __nv_double2ll_rz(__nv_round(x)); }
GPUPROF_DEVICE long long __nv_llroundf(float x) { return __nv_float2ll_rz(__nv_roundf(x)); }
#define GPUPROF_IEEE(r)                                                                                      \
  GPUPROF_DEVICE float __nv_fmaf_ieee_##r(float a, float b, float c) { return __nv_fmaf_##r(a, b, c); }
GPUPROF_IEEE(rn)
GPUPROF_IEEE(rz)
GPUPROF_IEEE(rd)
GPUPROF_IEEE(ru)

#undef GPUPROF_IEEE
#undef GPUPROF_BOTH
#undef GPUPROF_DEVICE
#undef GPUPROF_PI
#undef GPUPROF_ROOT_OF_PI
#undef GPUPROF_INFINITY

#endif
