/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of doubles with NVIDIA's number of operations of each kind, in the same branches. The polynomials are
 * fitted for these numbers of terms; errors are a few units in the last place. */
#ifndef GPUPROF_MINICUDA_DOUBLE_FUNCTIONS_H
#define GPUPROF_MINICUDA_DOUBLE_FUNCTIONS_H

#define GPUPROF_DOUBLE extern "C" __device__ __forceinline__ double
#define GPUPROF_FMA(a, b, c) __builtin_fma(a, b, c)
#define GPUPROF_NO_FUSION _Pragma("clang fp contract(off)")
#define GPUPROF_LOW(a) __nvvm_d2i_lo(a)
#define GPUPROF_HIGH(a) __nvvm_d2i_hi(a)
#define GPUPROF_DOUBLE_OF(high, low) __nvvm_lohi_i2d(low, high)
#define GPUPROF_INFINITY __builtin_huge_val()
#define GPUPROF_LN2 0x1.62e42fefa39efp-1
#define GPUPROF_LN2_REST 0x1.abc9e3b39803fp-56
#define GPUPROF_LOG2E 0x1.71547652b82fep+0
#define GPUPROF_LOG2E_REST 0x1.777d0ffda0d24p-56
#define GPUPROF_LOG10E 0x1.bcb7b1526e50ep-2
#define GPUPROF_LOG10E_REST 0x1.95355baaafad3p-57
/* The sum of it and a small number has the nearest integer in its lowest bits. */
#define GPUPROF_ROUNDING 0x1.8p+52

/* Two steps towards 1 / a from the approximation by the special-function unit. */
GPUPROF_DOUBLE gpuprof_double_reciprocal(double a) {
  GPUPROF_NO_FUSION
  const double inverse = __nvvm_rcp_approx_ftz_d(a), error = GPUPROF_FMA(-a, inverse, 1.0);
  return GPUPROF_FMA(GPUPROF_FMA(error, error, error), inverse, inverse);
}

/* ---- Exponentials ---- */

/* (e^r - 1 - r) / (r * r) for |r| up to ln(2) / 2. */
GPUPROF_DOUBLE gpuprof_exponential_rest(double r) {
  double p = GPUPROF_FMA(r, 0x1.ad9bdb21807fep-26, 0x1.28ae1600b502fp-22);
  p = GPUPROF_FMA(p, r, 0x1.71df134747063p-19);
  p = GPUPROF_FMA(p, r, 0x1.a019994693848p-16);
  p = GPUPROF_FMA(p, r, 0x1.a01a01327ceb5p-13);
  p = GPUPROF_FMA(p, r, 0x1.6c16c1847e85bp-10);
  p = GPUPROF_FMA(p, r, 0x1.111111112638p-7);
  p = GPUPROF_FMA(p, r, 0x1.55555555506a5p-5);
  p = GPUPROF_FMA(p, r, 0x1.55555555555p-3);
  return GPUPROF_FMA(p, r, 0x1.000000000000ap-1);
}
GPUPROF_DOUBLE gpuprof_exponential(double r) {
  return GPUPROF_FMA(GPUPROF_FMA(gpuprof_exponential_rest(r), r, 1.0), r, 1.0);
}
/* y * 2^n for results that are not normal, in two factors. */
GPUPROF_DOUBLE gpuprof_scaled_twice(double y, int n) {
  GPUPROF_NO_FUSION
  const int half = n / 2;
  return GPUPROF_DOUBLE_OF(((n - half) << 20) + 0x3ff00000, 0) *
         GPUPROF_DOUBLE_OF(GPUPROF_HIGH(y) + (half << 20), GPUPROF_LOW(y));
}
/* The size of a number by its upper half, read as a float. */
#define GPUPROF_SIZE(a) __builtin_fabsf(__builtin_bit_cast(float, GPUPROF_HIGH(a)))
#define GPUPROF_SIZE_OF(high) __builtin_bit_cast(float, high)
/* The upper halves of the largest arguments: of normal results, and of any but 0 and infinity. */
#define GPUPROF_EXP_NORMAL 0x4086232b
#define GPUPROF_EXP_ANY 0x40874800
GPUPROF_DOUBLE __nv_exp(double a) {
  GPUPROF_NO_FUSION
  const double shifted = GPUPROF_FMA(a, GPUPROF_LOG2E, GPUPROF_ROUNDING);
  const double n = __nvvm_add_rn_d(shifted, -GPUPROF_ROUNDING);
  const double r = GPUPROF_FMA(n, -GPUPROF_LN2_REST, GPUPROF_FMA(n, -GPUPROF_LN2, a)), y = gpuprof_exponential(r);
  double power = GPUPROF_DOUBLE_OF(GPUPROF_HIGH(y) + (GPUPROF_LOW(shifted) << 20), GPUPROF_LOW(y));
  if (!(GPUPROF_SIZE(a) < GPUPROF_SIZE_OF(GPUPROF_EXP_NORMAL))) {
    const double infinite = a + GPUPROF_INFINITY;
    power = a < 0 ? 0 : infinite;
    if (GPUPROF_SIZE(a) < GPUPROF_SIZE_OF(GPUPROF_EXP_ANY))
      power = gpuprof_scaled_twice(y, GPUPROF_LOW(shifted));
  }
  return power;
}
GPUPROF_DOUBLE __nv_exp2(double a) {
  GPUPROF_NO_FUSION
  const double shifted = __nvvm_add_rn_d(a, GPUPROF_ROUNDING), n = __nvvm_add_rn_d(shifted, -GPUPROF_ROUNDING);
  const double rest = a - n, r = GPUPROF_FMA(rest, GPUPROF_LN2, rest * GPUPROF_LN2_REST), y = gpuprof_exponential(r);
  double power = GPUPROF_DOUBLE_OF(GPUPROF_HIGH(y) + (GPUPROF_LOW(shifted) << 20), GPUPROF_LOW(y));
  if (!(GPUPROF_SIZE(a) < GPUPROF_SIZE_OF(0x408ff000))) {
    const double infinity = GPUPROF_INFINITY, end = GPUPROF_HIGH(a) < 0 ? 0 : infinity, twice = a + a;
    power = __builtin_isnan(__builtin_fabs(a)) ? twice : end;
    if (GPUPROF_SIZE(a) < GPUPROF_SIZE_OF(0x4090cc00))
      power = gpuprof_scaled_twice(y, GPUPROF_LOW(shifted));
  }
  return power;
}

GPUPROF_DOUBLE __nv_exp10(double a) {
  GPUPROF_NO_FUSION
  const double shifted = GPUPROF_FMA(a, 0x1.a934f0979a371p+1, GPUPROF_ROUNDING);
  const double n = __nvvm_add_rn_d(shifted, -GPUPROF_ROUNDING);
  const double rest = GPUPROF_FMA(n, 0x1.9dc1da994fd21p-59, GPUPROF_FMA(n, -0x1.34413509f79ffp-2, a));
  const double y = gpuprof_exponential(GPUPROF_FMA(rest, 0x1.26bb1bbb55516p+1, rest * -0x1.f48ad494ea3e9p-53));
  double power = GPUPROF_DOUBLE_OF(GPUPROF_HIGH(y) + (GPUPROF_LOW(shifted) << 20), GPUPROF_LOW(y));
  if (!(GPUPROF_SIZE(a) < GPUPROF_SIZE_OF(0x40733a71))) {
    const double infinity = GPUPROF_INFINITY, end = GPUPROF_HIGH(a) < 0 ? 0 : infinity, twice = a + a;
    power = __builtin_isnan(__builtin_fabs(a)) ? twice : end;
    if (GPUPROF_SIZE(a) < GPUPROF_SIZE_OF(0x407439b8))
      power = gpuprof_scaled_twice(y, GPUPROF_LOW(shifted));
  }
  return power;
}

/* ---- Logarithms ---- */

/* log((1 + q/2) / (1 - q/2)) is q + q * s * p, with s the square of q; p: */
GPUPROF_DOUBLE gpuprof_logarithm_rest(double s) {
  double p = GPUPROF_FMA(s, 0x1.0f05434524835p-20, 0x1.0f683f143a868p-18);
  p = GPUPROF_FMA(p, s, 0x1.3b2018f4d22ecp-16);
  p = GPUPROF_FMA(p, s, 0x1.745ce20e545e3p-14);
  p = GPUPROF_FMA(p, s, 0x1.c71c724a86fa2p-12);
  p = GPUPROF_FMA(p, s, 0x1.249249243a341p-9);
  p = GPUPROF_FMA(p, s, 0x1.9999999999d0ap-7);
  return GPUPROF_FMA(p, s, 0x1.5555555555555p-4);
}
/* An int as a double: the lower half of 2^52 + 2^31 + n. */
GPUPROF_DOUBLE gpuprof_double_of_int(int n) {
  GPUPROF_NO_FUSION
  return GPUPROF_DOUBLE_OF(0x43300000, n ^ (int)0x80000000) - GPUPROF_DOUBLE_OF(0x43300000, (int)0x80000000);
}
#define GPUPROF_ROOT_OF_2 0x3ff6a09e /* its upper half */
GPUPROF_DOUBLE __nv_log(double a) {
  GPUPROF_NO_FUSION
  int high = GPUPROF_HIGH(a), low = GPUPROF_LOW(a), exponent = -1023;
  if (high < 0x00100000) {
    a = a * 0x1p54;
    high = GPUPROF_HIGH(a);
    low = GPUPROF_LOW(a);
    exponent = -1023 - 54;
  }
  if ((unsigned)(high - 1) < 0x7fefffff) {
    exponent += (unsigned)high >> 20;
    high = (high & 0x000fffff) | 0x3ff00000;
    double m = GPUPROF_DOUBLE_OF(high, low);
    if (high > GPUPROF_ROOT_OF_2) {
      m = GPUPROF_DOUBLE_OF(GPUPROF_HIGH(m) - 0x00100000, GPUPROF_LOW(m));
      exponent++;
    }
    const double f = m - 1, inverse = gpuprof_double_reciprocal(m + 1);
    const double half = f * inverse, q = half + half, s = q * q, p = gpuprof_logarithm_rest(s);
    const double rest_of_q = inverse * GPUPROF_FMA(-q, f, 2 * (f - q)), rest = GPUPROF_FMA(s * p, q, rest_of_q);
    const double n = gpuprof_double_of_int(exponent), sum = GPUPROF_FMA(n, GPUPROF_LN2, q);
    const double error = GPUPROF_FMA(-n, GPUPROF_LN2, sum) - q;
    return sum + GPUPROF_FMA(n, GPUPROF_LN2_REST, rest - error);
  }
  const double end = GPUPROF_FMA(a, GPUPROF_INFINITY, GPUPROF_INFINITY), infinity = GPUPROF_INFINITY;
  return (GPUPROF_HIGH(a) & 0x7fffffff) == 0 ? -infinity : end;
}
GPUPROF_DOUBLE __nv_log2(double a) {
  GPUPROF_NO_FUSION
  const double log = __nv_log(a);
  return GPUPROF_FMA(log, GPUPROF_LOG2E, log * GPUPROF_LOG2E_REST);
}
GPUPROF_DOUBLE __nv_log10(double a) {
  GPUPROF_NO_FUSION
  const double log = __nv_log(a);
  return GPUPROF_FMA(log, GPUPROF_LOG10E, log * GPUPROF_LOG10E_REST);
}

/* ---- The hyperbolic tangent ---- */

/* Large: 1 - 2 / (e^2x + 1), of e^2x - 1. */
GPUPROF_DOUBLE __nv_tanh(double a) {
  GPUPROF_NO_FUSION
  const int high = GPUPROF_HIGH(a) & 0x7fffffff;
  const double size = GPUPROF_DOUBLE_OF(high, GPUPROF_LOW(a));
  if (size >= 0x1.4f92224dd2f1ap-1) {
    const double twice = size * 2;
    const float n = __nvvm_round_f((float)twice * 0x1.715476p+0f);
    const double r = GPUPROF_FMA(-(double)n, GPUPROF_LN2, twice);
    const double grown = GPUPROF_FMA(gpuprof_exponential_rest(r) * r, r, r);
    const double power = (double)__nvvm_ex2_approx_ftz_f(n);
    const double below = GPUPROF_FMA(-grown, power, 1 - power), inverse = gpuprof_double_reciprocal(2 - below);
    const double large = GPUPROF_FMA(-inverse, 2.0, 1.0), y = high > 0x40330fc1 ? 1 : large;
    return __builtin_copysign(y, a);
  }
  const double s = a * a;
  double p = GPUPROF_FMA(s, -0x1.f064f26f0719dp-17, 0x1.3818a5db15553p-14);
  p = GPUPROF_FMA(p, s, -0x1.da0d7746f5ca8p-13);
  p = GPUPROF_FMA(p, s, 0x1.32b6ccdd0b777p-11);
  p = GPUPROF_FMA(p, s, -0x1.7d4c8b399a70ep-10);
  p = GPUPROF_FMA(p, s, 0x1.d6cc47d2dd645p-9);
  p = GPUPROF_FMA(p, s, -0x1.226dfe29b510fp-7);
  p = GPUPROF_FMA(p, s, 0x1.664f4683e1a04p-6);
  p = GPUPROF_FMA(p, s, -0x1.ba1ba1af59237p-5);
  p = GPUPROF_FMA(p, s, 0x1.1111111102935p-3);
  p = GPUPROF_FMA(p, s, -0x1.555555555547cp-2);
  p = GPUPROF_FMA(p, s, 0.0);
  return GPUPROF_FMA(p, a, a);
}

/* ---- Sine and cosine ---- */

/* Coefficients of the sine, then of the cosine, read from memory as in NVIDIA's library. The first of each are in the
 * function, and are multiplied by the next ones. */
static __device__ double gpuprof_wave_terms[16] = {
    -0x1.ae5e686e09f86p-26, 0x1.71de357af2a04p-19, -0x1.a01a019c1603bp-13, 0x1.111111110f8a6p-7,
    -0x1.5555555555549p-3,  0,                     0,                      0,
    0x1.1ee9dc16f6c2p-29,   -0x1.27e4f7f1fcfb6p-22, 0x1.a01a019c8faf9p-16, -0x1.6c16c16c15019p-10,
    0x1.555555555554bp-5,   -0.5,                  0,                      0};
GPUPROF_DOUBLE gpuprof_double_wave(double r, int quarter) {
  GPUPROF_NO_FUSION
  const double *terms = gpuprof_wave_terms + ((quarter & 1) << 3);
  const double s = __nvvm_mul_rn_d(r, r);
  double p = (quarter & 1) == 0 ? 0x1.5d9391cffe0fbp-33 : -0x1.8fa6a77bbc24cp-37;
  p = GPUPROF_FMA(p, s, terms[0]);
  p = GPUPROF_FMA(p, s, terms[1]);
  p = GPUPROF_FMA(p, s, terms[2]);
  p = GPUPROF_FMA(p, s, terms[3]);
  p = GPUPROF_FMA(p, s, terms[4]);
  p = GPUPROF_FMA(p, s, terms[5]);
  const double sine = GPUPROF_FMA(p, r, r), cosine = GPUPROF_FMA(p, s, 1.0);
  const double y = (quarter & 1) == 0 ? sine : cosine, negative = 0.0 - y;
  return quarter & 2 ? negative : y;
}
/* The remainder of a after whole quarters of a turn. */
GPUPROF_DOUBLE gpuprof_double_quarter(double a, int *quarter) {
  GPUPROF_NO_FUSION
  *quarter = __nvvm_d2i_rn(a * 0x1.45f306dc9c883p-1);
  const double n = -(double)*quarter;
  return GPUPROF_FMA(n, 0x1.b839a252049c1p-104, GPUPROF_FMA(n, 0x1.1a62633145c00p-54, GPUPROF_FMA(n, 0x1.921fb54442d18p+0, a)));
}
#define GPUPROF_FAR_DOUBLE 0x1p31
/* By the upper half, an integer operation as in NVIDIA's library. */
GPUPROF_DOUBLE gpuprof_other_sign(double a) {
  return GPUPROF_DOUBLE_OF(GPUPROF_HIGH(a) ^ (int)0x80000000, GPUPROF_LOW(a));
}
GPUPROF_DOUBLE __nv_sin(double a) {
  const double size = __builtin_fabs(a);
  int quarter = 0;
  double r;
  if (size == GPUPROF_INFINITY) {
    r = __nvvm_mul_rn_d(a, 0.0);
  } else {
    r = gpuprof_double_quarter(a, &quarter);
    if (!(size < GPUPROF_FAR_DOUBLE))
      return __builtin_elementwise_sin(a);
  }
  return gpuprof_double_wave(r, quarter);
}
GPUPROF_DOUBLE __nv_cos(double a) {
  const double size = __builtin_fabs(a);
  int quarter = 1;
  double r;
  if (size == GPUPROF_INFINITY) {
    r = __nvvm_mul_rn_d(a, 0.0);
  } else {
    r = gpuprof_double_quarter(a, &quarter);
    quarter++;
    if (!(size < GPUPROF_FAR_DOUBLE))
      return __builtin_elementwise_cos(a);
  }
  return gpuprof_double_wave(r, quarter);
}
extern "C" __device__ __forceinline__ void __nv_sincos(double a, double *sine, double *cosine) {
  GPUPROF_NO_FUSION
  const double size = __builtin_fabs(a);
  int quarter = 0;
  double r;
  if (size == GPUPROF_INFINITY) {
    r = __nvvm_mul_rn_d(a, 0.0);
  } else {
    r = gpuprof_double_quarter(a, &quarter);
    if (!(size < GPUPROF_FAR_DOUBLE)) {
      *sine = __builtin_elementwise_sin(a);
      *cosine = __builtin_elementwise_cos(a);
      return;
    }
  }
  const double s = __nvvm_mul_rn_d(r, r);
  double c = GPUPROF_FMA(s, -0x1.8fa6a77bbc24cp-37, 0x1.1ee9dc16f6c2p-29);
  c = GPUPROF_FMA(c, s, -0x1.27e4f7f1fcfb6p-22);
  c = GPUPROF_FMA(c, s, 0x1.a01a019c8faf9p-16);
  c = GPUPROF_FMA(c, s, -0x1.6c16c16c15019p-10);
  c = GPUPROF_FMA(c, s, 0x1.555555555554bp-5);
  c = GPUPROF_FMA(c, s, -0.5);
  c = GPUPROF_FMA(c, s, 1.0);
  double p = GPUPROF_FMA(s, 0x1.5d9391cffe0fbp-33, -0x1.ae5e686e09f86p-26);
  p = GPUPROF_FMA(p, s, 0x1.71de357af2a04p-19);
  p = GPUPROF_FMA(p, s, -0x1.a01a019c1603bp-13);
  p = GPUPROF_FMA(p, s, 0x1.111111110f8a6p-7);
  p = GPUPROF_FMA(p, s, -0x1.5555555555549p-3);
  p = GPUPROF_FMA(p, s, 0.0);
  p = GPUPROF_FMA(p, r, r);
  const double negative = gpuprof_other_sign(p);
  double first = quarter & 1 ? c : p, second = quarter & 1 ? negative : c;
  if (quarter & 2) {
    first = gpuprof_other_sign(first);
    second = gpuprof_other_sign(second);
  }
  *sine = first;
  *cosine = second;
}

/* ---- Powers ---- */

/* a^b of a positive number: sums of two doubles up to the product with b. */
GPUPROF_DOUBLE gpuprof_double_power(double a, double b) {
  GPUPROF_NO_FUSION
  int top = GPUPROF_HIGH(a), low = GPUPROF_LOW(a), exponent = (int)((unsigned)top >> 20);
  if (exponent == 0) {
    a = a * 0x1p54;
    top = GPUPROF_HIGH(a);
    low = GPUPROF_LOW(a);
    exponent = (int)((unsigned)top >> 20) - 54;
  }
  const int high = (top & (int)0x800fffff) | 0x3ff00000;
  double m = GPUPROF_DOUBLE_OF(high, low);
  int bias = -1023;
  if ((unsigned)high > GPUPROF_ROOT_OF_2) {
    m = GPUPROF_DOUBLE_OF(GPUPROF_HIGH(m) - 0x00100000, GPUPROF_LOW(m));
    bias = -1022;
  }
  exponent += bias;

  const double f = m - 1, inverse = gpuprof_double_reciprocal(m + 1);
  const double half = f * inverse, q = half + half, s = q * q;
  double p = GPUPROF_FMA(s, 0x1.0e4254b5313ccp-20, 0x1.0f7ff266c8e55p-18);
  p = GPUPROF_FMA(p, s, 0x1.3b1eebb2dfe9ap-16);
  p = GPUPROF_FMA(p, s, 0x1.745ce9e50900ap-14);
  p = GPUPROF_FMA(p, s, 0x1.c71c722d625ffp-12);
  p = GPUPROF_FMA(p, s, 0x1.2492492457d7cp-9);
  p = GPUPROF_FMA(p, s, 0x1.9999999999b3p-7);
  const double product = s * p, rest_of_q = inverse * GPUPROF_FMA(-q, f, (f - q) * 2);
  /* 1/12 and the rest of the series, as a sum of two */
  double c = 0x1.5555555555555p-4 + product;
  double rest_of_c = (product + (0x1.5555555555555p-4 - c)) + 0x1.5555555555555p-58;
  const double c_sum = c + rest_of_c;
  rest_of_c = rest_of_c + (c - c_sum);
  c = c_sum;
  /* q^2 and q^3, each as a sum of two */
  const double twice_rest = GPUPROF_DOUBLE_OF(GPUPROF_HIGH(rest_of_q) + 0x00100000, GPUPROF_LOW(rest_of_q));
  const double square = __nvvm_mul_rn_d(q, q);
  const double rest_of_square = GPUPROF_FMA(q, twice_rest, GPUPROF_FMA(q, q, -square));
  const double cube = __nvvm_mul_rn_d(square, q);
  const double rest_of_cube =
      GPUPROF_FMA(rest_of_square, q, GPUPROF_FMA(square, rest_of_q, GPUPROF_FMA(square, q, -cube)));
  /* c * q^3 */
  const double term = __nvvm_mul_rn_d(c, cube);
  const double rest_of_term = GPUPROF_FMA(rest_of_c, cube, GPUPROF_FMA(c, rest_of_cube, GPUPROF_FMA(c, cube, -term)));
  const double term_sum = term + rest_of_term, term_low = rest_of_term + (term - term_sum);
  /* and q */
  const double sum = q + term_sum, sum_low = term_sum + (q - sum), lows = rest_of_q + (term_low + sum_low);
  const double log_m = sum + lows, rest_of_log_m = lows + (sum - log_m);
  /* and the exponent */
  const double n = gpuprof_double_of_int(exponent), whole = GPUPROF_FMA(n, GPUPROF_LN2, log_m);
  const double error = GPUPROF_FMA(-n, GPUPROF_LN2, whole) - log_m;
  const double low_part = GPUPROF_FMA(n, GPUPROF_LN2_REST, rest_of_log_m - error);
  const double log = whole + low_part, rest_of_log = low_part + (whole - log);

  /* b is taken smaller where the product would not be finite */
  const int b_high = GPUPROF_HIGH(b), b_less = b_high & (int)0xff0fffff;
  const int is_huge = (unsigned)(b_high << 1) > 0xfdffffff, b_top = is_huge ? b_less : b_high;
  const double factor = GPUPROF_DOUBLE_OF(b_top, GPUPROF_LOW(b)), times = __nvvm_mul_rn_d(log, factor);
  const double rest_of_times = GPUPROF_FMA(rest_of_log, factor, GPUPROF_FMA(log, factor, -times));
  const double x = times + rest_of_times, y = __nv_exp(x), rest_of_x = rest_of_times + (times - x);
  const double better = GPUPROF_FMA(y, rest_of_x, y);
  return __builtin_fabs(y) == GPUPROF_INFINITY ? y : better;
}
/* A statement of PTX: unlike C's operator, it shifts everything out by amounts below zero or from 64 on. */
extern "C" __device__ __forceinline__ long long gpuprof_shifted(long long a, int amount) {
  long long shifted;
  asm("shl.b64 %0, %1, %2;" : "=l"(shifted) : "l"(a), "r"(amount));
  return shifted;
}
GPUPROF_DOUBLE __nv_pow(double a, double b) {
  GPUPROF_NO_FUSION
  const int a_high = GPUPROF_HIGH(a), b_high = GPUPROF_HIGH(b), b_exponent = (int)((unsigned)b_high >> 20) & 0x7ff;
  /* odd: the bit of one is the last one */
  const int is_odd = gpuprof_shifted(__builtin_bit_cast(long long, b), b_exponent - 1012) == -0x7fffffffffffffff - 1;
  const double size = __builtin_fabs(a);
  int keeps_sign = is_odd;
  double y;
  if (a == 0) {
    const int is_no_root = __builtin_fabs(b) != 0.5;
    keeps_sign = is_no_root & is_odd;
    const int small = keeps_sign ? a_high : 0, large = small | 0x7ff00000;
    y = GPUPROF_DOUBLE_OF(b_high < 0 ? large : small, 0);
  } else {
    const double power = gpuprof_double_power(size, b), negative = -power;
    const double whole = __builtin_trunc(b), nan = __builtin_nan("");
    y = a_high < 0 && is_odd ? negative : power;
    y = a_high < 0 && b != whole ? nan : y;
  }
  if ((GPUPROF_HIGH(a + b) & 0x7ff00000) == 0x7ff00000) {
    if (__builtin_isnan(size) || __builtin_isnan(__builtin_fabs(b))) {
      y = __nvvm_add_rn_d(a, b);
    } else if (__builtin_fabs(b) == GPUPROF_INFINITY) {
      int high = size > 1 ? 0x7ff00000 : 0;
      high = b_high < 0 ? high ^ 0x7ff00000 : high;
      y = GPUPROF_DOUBLE_OF(a == -1 ? 0x3ff00000 : high, 0);
    } else if (size == GPUPROF_INFINITY) {
      int high = b_high < 0 ? 0 : 0x7ff00000;
      if (a_high < 0 && keeps_sign && (b_high & 0x7fffffff) != 0x3fe00000)
        high |= (int)0x80000000;
      y = GPUPROF_DOUBLE_OF(high, 0);
    }
  }
  return a == 1 || b == 0 ? 1 : y;
}

#undef GPUPROF_DOUBLE
#undef GPUPROF_FMA
#undef GPUPROF_NO_FUSION
#undef GPUPROF_LOW
#undef GPUPROF_HIGH
#undef GPUPROF_DOUBLE_OF
#undef GPUPROF_INFINITY
#undef GPUPROF_LN2
#undef GPUPROF_LN2_REST
#undef GPUPROF_LOG2E
#undef GPUPROF_LOG2E_REST
#undef GPUPROF_LOG10E
#undef GPUPROF_LOG10E_REST
#undef GPUPROF_ROUNDING
#undef GPUPROF_SIZE
#undef GPUPROF_SIZE_OF
#undef GPUPROF_EXP_NORMAL
#undef GPUPROF_EXP_ANY
#undef GPUPROF_ROOT_OF_2
#undef GPUPROF_FAR_DOUBLE

#endif
