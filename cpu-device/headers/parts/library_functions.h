/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* More functions of floats with NVIDIA's number of operations of each kind, in the same branches. The polynomials
 * are fitted for these numbers of terms; errors are a few units in the last place. */
#ifndef GPUPROF_MINICUDA_LIBRARY_FUNCTIONS_H
#define GPUPROF_MINICUDA_LIBRARY_FUNCTIONS_H

#define GPUPROF_FLOAT extern "C" __device__ __forceinline__ float
#define GPUPROF_PART extern "C" __device__ __forceinline__
#define GPUPROF_FMA(a, b, c) __builtin_fmaf(a, b, c)
#define GPUPROF_NO_FUSION _Pragma("clang fp contract(off)")
/* NVIDIA's library has this one, of which LLVM knows less. */
#if __has_builtin(__nvvm_fabs_f)
#define GPUPROF_ABS(a) __nvvm_fabs_f(a)
#else
#define GPUPROF_ABS(a) __builtin_fabsf(a)
#endif
#define GPUPROF_BITS(a) __builtin_bit_cast(int, a)
#define GPUPROF_NUMBER(bits) __builtin_bit_cast(float, bits)
#define GPUPROF_INFINITY __builtin_huge_valf()
/* ln 2 and log2 e, each as a float and the rest; pi / 2 as a product of two floats. */
#define GPUPROF_LN2 0x1.62e43p-1f
#define GPUPROF_LN2_REST -0x1.05c61p-29f
#define GPUPROF_LOG2E 0x1.715476p+0f
#define GPUPROF_LOG2E_REST 0x1.4ae0cp-26f
#define GPUPROF_QUARTER_TURN_LEFT 0x1.bc9192p+0f
#define GPUPROF_QUARTER_TURN_RIGHT 0x1.cf1e06p-1f

/* A statement of PTX: unlike the builtin, it is not executed ahead of a branch. */
GPUPROF_PART float gpuprof_reciprocal(float a) {
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(a));
  return inverse;
}

/* ---- Exponentials ---- */

/* Near zero 2^0 stands before the polynomial. */
GPUPROF_FLOAT __nv_expm1f(float a) {
  GPUPROF_NO_FUSION
  float n = __nvvm_round_f(a * GPUPROF_LOG2E);
  n = GPUPROF_ABS(a) < 0x1.a3d70ap-2f ? 0 : n;
  const float r = GPUPROF_FMA(-n, GPUPROF_LN2_REST, GPUPROF_FMA(-n, GPUPROF_LN2, a));
  const int is_last = n == 128;
  n = is_last ? 127 : n;
  float p = GPUPROF_FMA(0x1.6bbe58p-10f, r, 0x1.12a04ap-7f);
  p = GPUPROF_FMA(p, r, 0x1.5557d6p-5f);
  p = GPUPROF_FMA(p, r, 0x1.555402p-3f);
  p = GPUPROF_FMA(p, r, 0x1.fffffcp-2f);
  p = GPUPROF_FMA(p * r, r, r);
  const float power = __nvvm_ex2_approx_f(n);
  float y = GPUPROF_FMA(p, power, power - 1);
  y = is_last ? y + y : y;
  y = n > 128 ? GPUPROF_INFINITY : y;
  y = n < -25 ? -1 : y;
  return a == 0 ? a + a : y;
}

/* e^a * 2^shift, for a from -87 on; of larger numbers infinity. */
GPUPROF_PART float gpuprof_power_of_e(float a, int shift) {
  GPUPROF_NO_FUSION
  float n = __builtin_truncf(__nvvm_mul_rn_f(a, GPUPROF_LOG2E));
  n = GPUPROF_ABS(n) > 126 ? __builtin_copysignf(126.0f, n) : n;
  const float r = GPUPROF_FMA(n, -GPUPROF_LN2_REST, GPUPROF_FMA(n, -GPUPROF_LN2, a));
  const float power = __nvvm_ex2_approx_ftz_f(r * GPUPROF_LOG2E);
  const float shifted = n + (0x1.8p23f + (float)(127 + shift));
  return power * GPUPROF_NUMBER(GPUPROF_BITS(shifted) << 23);
}
GPUPROF_FLOAT __nv_sinhf(float a) {
  GPUPROF_NO_FUSION
  const float size = GPUPROF_ABS(a), power = gpuprof_power_of_e(size, -2);
  const float large = GPUPROF_FMA(power, 2.0f, __nvvm_div_approx_ftz_f(-0.125f, power)), s = a * a;
  float p = GPUPROF_FMA(s, 0x1.76ac86p-19f, 0x1.a01adp-13f);
  p = GPUPROF_FMA(p, s, 0x1.1110ecp-7f);
  p = GPUPROF_FMA(p, s, 0x1.555556p-3f);
  p = GPUPROF_FMA(p * s, a, a);
  const float signed_large = __builtin_copysignf(large, a);
  return size >= 1 ? signed_large : p;
}
GPUPROF_FLOAT __nv_coshf(float a) {
  GPUPROF_NO_FUSION
  const float power = gpuprof_power_of_e(GPUPROF_ABS(a), -2);
  return GPUPROF_FMA(power, 2.0f, __nvvm_div_approx_ftz_f(0.125f, power));
}

/* ---- Logarithms ---- */

/* 1 + a as 2^exponent * (1 + f), f from -1/4 to 1/2. */
GPUPROF_FLOAT __nv_log1pf(float a) {
  GPUPROF_NO_FUSION
  const int bits = GPUPROF_BITS(a);
  const int exponent = (GPUPROF_BITS(__nvvm_add_rz_f(a, 1.0f)) - 0x3f400000) & (int)0xff800000;
  const float f = GPUPROF_FMA(GPUPROF_NUMBER(0x40800000 - exponent), 0.25f, -1.0f) + GPUPROF_NUMBER(bits - exponent);
  float p = GPUPROF_FMA(f, -0x1.71a7ecp-5f, 0x1.acdc1ap-4f);
  p = GPUPROF_FMA(p, f, -0x1.0d9a8cp-3f);
  p = GPUPROF_FMA(p, f, 0x1.2883dcp-3f);
  p = GPUPROF_FMA(p, f, -0x1.54ee14p-3f);
  p = GPUPROF_FMA(p, f, 0x1.996976p-3f);
  p = GPUPROF_FMA(p, f, -0x1.000046p-2f);
  p = GPUPROF_FMA(p, f, 0x1.5555a4p-2f);
  p = GPUPROF_FMA(p, f, -0.5f);
  float y = GPUPROF_FMA((float)exponent * 0x1p-23f, GPUPROF_LN2, GPUPROF_FMA(p * f, f, f));
  if ((unsigned)bits > 0x7f7fffff) {
    if (bits > (int)0xbf800000) /* below -1, or not finite */
      y = GPUPROF_FMA(a, GPUPROF_INFINITY, GPUPROF_INFINITY);
    y = a == 0 ? -0.0f : y;
  }
  return y;
}
/* a + (sqrt(a^2 + 1) - 1) without cancellation. */
GPUPROF_FLOAT __nv_asinhf(float a) {
  GPUPROF_NO_FUSION
  const float size = GPUPROF_ABS(a), square = GPUPROF_FMA(a, a, 1.0f);
  const float inverse = gpuprof_reciprocal(GPUPROF_FMA(square, __nvvm_rsqrt_approx_ftz_f(square), 1.0f));
  const float sum = GPUPROF_FMA(size, size * inverse, size);
  const int is_large = size > 0x1p23f;
  const float log = __nv_log1pf(is_large ? size : sum);
  const float y = is_large ? log + GPUPROF_LN2 : log;
  return size == size ? __builtin_copysignf(y, a) : log;
}
GPUPROF_FLOAT __nv_acoshf(float a) {
  GPUPROF_NO_FUSION
  const float rest = a - 1;
  const int is_large = (unsigned)GPUPROF_BITS(rest) > 0x4b000000;
  const float square = GPUPROF_FMA(a, a, -1.0f), inverse = __nvvm_rsqrt_approx_ftz_f(square), root = square * inverse;
  float y = GPUPROF_FMA(GPUPROF_FMA(-root, root, square), inverse * 0.5f, root);
  y = square == 0 ? 0 : y;
  const float log = __nv_log1pf(rest + (is_large ? -1.0f : y));
  return is_large ? log + GPUPROF_LN2 : log;
}
GPUPROF_FLOAT __nv_atanhf(float a) {
  GPUPROF_NO_FUSION
  const float size = GPUPROF_ABS(a), ratio = size * (gpuprof_reciprocal(1 - size) * 2);
  return __builtin_copysignf(0.5f, a) * __nv_log1pf(size > 0x1p126f ? -2.0f : ratio);
}

/* ---- Powers and roots ---- */

/* 2^(b * log2(a)) of a positive number: the logarithm and the product are each a sum of two floats. */
GPUPROF_PART float gpuprof_power(float a, float b) {
  GPUPROF_NO_FUSION
  const int is_small = a < 0x1p-126f;
  const int bits = GPUPROF_BITS(is_small ? a * 0x1p24f : a), exponent = (bits - 0x3f3504f3) & (int)0xff800000;
  const float m = GPUPROF_NUMBER(bits - exponent), e = GPUPROF_FMA((float)exponent, 0x1p-23f, is_small ? -24.0f : 0.0f);
  const float f = m - 1, inverse = gpuprof_reciprocal(m + 1);
  const float q = inverse * (f * 2), s = q * q;
  const float rest_of_q = __nvvm_mul_rn_f(inverse, GPUPROF_FMA(-q, f, (f - q) * 2));
  float p = GPUPROF_FMA(s, 0x1.590294p-11f, 0x1.a5cad6p-9f);
  p = GPUPROF_FMA(p, s, 0x1.2776e8p-6f);
  p = GPUPROF_FMA(p, s, 0x1.ec709ep-4f);
  p = __nvvm_mul_rn_f(p, s);
  const float high = GPUPROF_FMA(q, GPUPROF_LOG2E, e);
  float rest = GPUPROF_FMA(q, GPUPROF_LOG2E, e - high);
  rest = GPUPROF_FMA(rest_of_q, GPUPROF_LOG2E, rest);
  rest = GPUPROF_FMA(q, GPUPROF_LOG2E_REST, rest);
  rest = GPUPROF_FMA(p * 3, rest_of_q, rest);
  rest = GPUPROF_FMA(p, q, rest);
  const float log = __nvvm_add_rn_f(high, rest);
  const float rest_of_log = __nvvm_add_rn_f(rest, -__nvvm_add_rn_f(log, -high));

  const float product = __nvvm_mul_rn_f(log, b);
  const float rest_of_product = GPUPROF_FMA(rest_of_log, b, GPUPROF_FMA(log, b, -product));
  const float n = __nvvm_round_f(product), r = (product - n) + rest_of_product;
  float y = GPUPROF_FMA(r, 0x1.3ec254p-13f, 0x1.5f0cacp-10f);
  y = GPUPROF_FMA(y, r, 0x1.3b31fcp-7f);
  y = GPUPROF_FMA(y, r, 0x1.c6af74p-5f);
  y = GPUPROF_FMA(y, r, 0x1.ebfbd6p-3f);
  y = GPUPROF_FMA(y, r, 0x1.62e43p-1f);
  y = GPUPROF_FMA(y, r, 1.0f);
  /* 2^n as two factors, so that subnormal results are rounded once */
  const int less = n > 0 ? 0 : (int)0x83000000;
  y = y * GPUPROF_NUMBER(0x7f000000 + less) * GPUPROF_NUMBER(((int)n << 23) - less);
  const float infinity = GPUPROF_INFINITY, end = product < 0 ? 0 : infinity;
  return GPUPROF_ABS(product) > 152 ? end : y;
}
GPUPROF_FLOAT __nv_powf(float a, float b) {
  GPUPROF_NO_FUSION
  const int is_odd = GPUPROF_ABS(b - __builtin_truncf(b * 0.5f) * 2) == 1;
  const float size = GPUPROF_ABS(a), y = gpuprof_power(size, b);
  if (a == 1 || b == 0)
    return 1;
  if (__builtin_isnan(size) || __builtin_isnan(GPUPROF_ABS(b)))
    return __nvvm_add_rn_f(a, b);
  if (a == 0 || (unsigned)GPUPROF_BITS(size) > 0x7f7fffff) {
    int bits = GPUPROF_BITS(a + a);
    bits = b < 0 ? bits ^ 0x7f800000 : bits;
    return GPUPROF_NUMBER(is_odd ? bits : bits & 0x7fffffff);
  }
  if (a == -1 && GPUPROF_ABS(b) == GPUPROF_INFINITY)
    return 1;
  if (a < 0) {
    const float signed_y = is_odd ? -y : y;
    return b != __builtin_floorf(b) ? __builtin_nanf("") : signed_y;
  }
  return y;
}

/* One step of Newton's method from an approximation by the special-function unit. */
GPUPROF_FLOAT __nv_cbrtf(float a) {
  GPUPROF_NO_FUSION
  const float size = GPUPROF_ABS(a);
  const float inverse = __nvvm_ex2_approx_ftz_f(__nvvm_lg2_approx_f(size) * -0x1.555556p-1f), root = size * inverse;
  const float step = GPUPROF_FMA(root, inverse * -root, 1.0f);
  const float y = GPUPROF_FMA(root, step * 0x1.555556p-2f, root), twice = a + a, negative = -y;
  const float signed_y = a < 0 ? negative : y;
  return twice == a ? twice : signed_y;
}
GPUPROF_FLOAT __nv_rcbrtf(float a) {
  GPUPROF_NO_FUSION
  const float size = GPUPROF_ABS(a);
  const float root = __nvvm_ex2_approx_ftz_f(__nvvm_lg2_approx_f(size) * -0x1.555556p-2f);
  const float step = GPUPROF_FMA(root * root, root * -size, 1.0f);
  const float y = GPUPROF_FMA(step, root * 0x1.555556p-2f, root), twice = a + a;
  const float inverted = GPUPROF_NUMBER(GPUPROF_BITS(twice) ^ 0x7f800000), negative = -y;
  const float signed_y = a < 0 ? negative : y;
  return twice == a ? inverted : signed_y;
}

/* Both are scaled by a power of 2 near the larger one. */
GPUPROF_FLOAT __nv_hypotf(float a, float b) {
  GPUPROF_NO_FUSION
  const int x = GPUPROF_BITS(GPUPROF_ABS(a)), y = GPUPROF_BITS(GPUPROF_ABS(b));
  const int less = y < x ? y : x, more = x > y ? x : y, exponent = more & (int)0xfe000000;
  const float down = GPUPROF_NUMBER(0x7e800000 - exponent), up = GPUPROF_NUMBER(exponent | 0x00800000);
  const float small = GPUPROF_NUMBER(less) * down, large = GPUPROF_NUMBER(more) * down;
  const float root = __nvvm_sqrt_approx_f(GPUPROF_FMA(large, large, small * small)) * up;
  const float length = GPUPROF_NUMBER(less) == 0 ? GPUPROF_NUMBER(more) : root;
  return GPUPROF_NUMBER(less) == GPUPROF_INFINITY ? GPUPROF_INFINITY : length;
}

GPUPROF_FLOAT __nv_roundf(float a) {
  return __builtin_truncf(__nvvm_add_rz_f(a, __builtin_copysignf(0.5f, a)));
}
GPUPROF_FLOAT __nv_fdimf(float a, float b) {
  GPUPROF_NO_FUSION
  const float difference = a - b;
  return a <= b ? 0 : difference;
}

/* ---- Angles ---- */

/* atan of a number from 0 to 1. */
GPUPROF_PART float gpuprof_small_angle(float a) {
  GPUPROF_NO_FUSION
  const float s = a * a;
  float p = GPUPROF_FMA(s, 0x1.85f124p-9f, -0x1.0fb2ap-6f);
  p = GPUPROF_FMA(p, s, 0x1.64d1d6p-5f);
  p = GPUPROF_FMA(p, s, -0x1.3683bap-4f);
  p = GPUPROF_FMA(p, s, 0x1.b56ac4p-4f);
  p = GPUPROF_FMA(p, s, -0x1.231bbp-3f);
  p = GPUPROF_FMA(p, s, 0x1.997ae8p-3f);
  p = GPUPROF_FMA(p, s, -0x1.5554e6p-2f);
  return GPUPROF_FMA(p * s, a, a);
}
#define GPUPROF_QUARTER_TURN_PLUS(a) GPUPROF_FMA(GPUPROF_QUARTER_TURN_LEFT, GPUPROF_QUARTER_TURN_RIGHT, a)
GPUPROF_FLOAT __nv_atanf(float a) {
  GPUPROF_NO_FUSION
  const float size = GPUPROF_ABS(a);
  const int is_large = size > 1;
  float ratio = size;
  if (is_large)
    ratio = gpuprof_reciprocal(size);
  const float small = gpuprof_small_angle(ratio), angle = is_large ? GPUPROF_QUARTER_TURN_PLUS(-small) : small;
  return size == size ? __builtin_copysignf(angle, a) : small;
}
GPUPROF_FLOAT __nv_atan2f(float y, float x) {
  GPUPROF_NO_FUSION
  const float width = GPUPROF_ABS(x), height = GPUPROF_ABS(y);
  const int is_steep = height > width;
  const float more = is_steep ? height : width, less = is_steep ? width : height;
  const float small = gpuprof_small_angle(__nvvm_div_rn_f(less, more));
  float angle = small;
  if (is_steep) {
    const float left = GPUPROF_QUARTER_TURN_PLUS(small), right = GPUPROF_QUARTER_TURN_PLUS(-small);
    angle = GPUPROF_BITS(x) < 0 ? left : right;
  } else {
    const float left = GPUPROF_FMA(2 * GPUPROF_QUARTER_TURN_LEFT, GPUPROF_QUARTER_TURN_RIGHT, -small);
    angle = GPUPROF_BITS(x) < 0 ? left : small;
  }
  const float sum = height + width;
  if (more == 0) {
    angle = GPUPROF_BITS(x) < 0 ? 0x1.921fb6p+1f : 0.0f;
  } else {
    const float diagonal = GPUPROF_BITS(x) < 0 ? 0x1.2d97c8p+1f : 0x1.921fb6p-1f;
    angle = width == height ? diagonal : angle;
  }
  const float signed_angle = __builtin_copysignf(angle, y);
  return __builtin_isnan(GPUPROF_ABS(sum)) ? sum : signed_angle;
}

/* The number whose arc sine is wanted: a large one's is that of sqrt((1 - a) / 2), its half from pi / 2. */
#define GPUPROF_LARGE_SINE 0x1.1eb852p-1f
GPUPROF_PART float gpuprof_small_sine(float size) {
  GPUPROF_NO_FUSION
  const float half = GPUPROF_FMA(-size, 0.5f, 0.5f), inverse = __nvvm_rsqrt_approx_ftz_f(half), root = inverse * half;
  const float better = GPUPROF_FMA(root, GPUPROF_FMA(-root, inverse * 0.5f, 0.5f), root);
  const float sine = size == 1 ? 0 : better;
  return size > GPUPROF_LARGE_SINE ? sine : size;
}
GPUPROF_FLOAT __nv_asinf(float a) {
  GPUPROF_NO_FUSION
  const float size = GPUPROF_ABS(a), sine = gpuprof_small_sine(size), s = sine * sine;
  float p = GPUPROF_FMA(s, 0x1.a0e32ap-5f, 0x1.32bdfp-6f);
  p = GPUPROF_FMA(p, s, 0x1.7e12f4p-5f);
  p = GPUPROF_FMA(p, s, 0x1.329b4p-4f);
  p = GPUPROF_FMA(p, s, 0x1.55571ap-3f);
  const float small = GPUPROF_FMA(p * s, sine, sine);
  const float large = GPUPROF_QUARTER_TURN_PLUS(small * -2), angle = size > GPUPROF_LARGE_SINE ? large : small;
  const float signed_angle = __builtin_copysignf(angle, a);
  return angle == angle ? signed_angle : angle;
}
GPUPROF_FLOAT __nv_acosf(float a) {
  GPUPROF_NO_FUSION
  const float size = GPUPROF_ABS(a), sine = __builtin_copysignf(gpuprof_small_sine(size), a), s = sine * sine;
  float p = GPUPROF_FMA(s, 0x1.81e224p-5f, 0x1.ceb3e8p-8f);
  p = GPUPROF_FMA(p, s, 0x1.15d05ep-5f);
  p = GPUPROF_FMA(p, s, 0x1.6a75f4p-5f);
  p = GPUPROF_FMA(p, s, 0x1.33485cp-4f);
  p = GPUPROF_FMA(p, s, 0x1.555528p-3f);
  const float small = GPUPROF_FMA(p * s, sine, sine);
  const int is_large = size > GPUPROF_LARGE_SINE;
  const float negative = -small, sum = is_large ? small : negative, other = GPUPROF_QUARTER_TURN_PLUS(sum);
  const float angle = a > GPUPROF_LARGE_SINE ? small : other, twice = angle * 2;
  return is_large ? twice : angle;
}

GPUPROF_PART float gpuprof_tangent(float r, int quarter) {
  GPUPROF_NO_FUSION
  const float s = r * r;
  float p = GPUPROF_FMA(s, 0x1.3623a2p-7f, 0x1.862ecp-9f);
  p = GPUPROF_FMA(p, s, 0x1.91d582p-6f);
  p = GPUPROF_FMA(p, s, 0x1.b54e94p-5f);
  p = GPUPROF_FMA(p, s, 0x1.112fbcp-3f);
  p = GPUPROF_FMA(p, s, 0x1.5554d4p-2f);
  float y = GPUPROF_FMA(p, __nvvm_mul_rn_f(s, r), r);
  y = GPUPROF_ABS(r) == 0 ? r : y;
  if (quarter & 1)
    y = gpuprof_reciprocal(-y);
  return y;
}
GPUPROF_FLOAT __nv_tanf(float a) {
  int quarter;
  const float r = gpuprof_quarter(a, &quarter);
  return GPUPROF_ABS(a) < GPUPROF_FAR_ANGLE ? gpuprof_tangent(r, quarter)
                                            : __builtin_elementwise_sin(a) / __builtin_elementwise_cos(a);
}
extern "C" __device__ __forceinline__ void __nv_sincosf(float a, float *sine, float *cosine) {
  GPUPROF_NO_FUSION
  int quarter;
  const float r = gpuprof_quarter(a, &quarter), s = r * r;
  if (!(GPUPROF_ABS(a) < GPUPROF_FAR_ANGLE)) {
    *sine = __builtin_elementwise_sin(a);
    *cosine = __builtin_elementwise_cos(a);
    return;
  }
  float c = GPUPROF_FMA(s, 0x1.99e91p-16f, -0x1.6c0c2ap-10f);
  c = GPUPROF_FMA(c, s, 0x1.55554ap-5f);
  c = GPUPROF_FMA(c, s, -0.5f);
  c = GPUPROF_FMA(c, s, 1.0f);
  float p = GPUPROF_FMA(s, -0x1.9956aep-13f, 0x1.11077ep-7f);
  p = GPUPROF_FMA(p, s, -0x1.555546p-3f);
  p = GPUPROF_FMA(p, GPUPROF_FMA(s, r, 0.0f), r);
  const float first = quarter & 1 ? c : p, second = quarter & 1 ? p : c;
  *sine = quarter & 2 ? -first : first;
  *cosine = (quarter + 1) & 2 ? -second : second;
}

/* ---- The complementary error function ---- */

/* (1 + 2x) * e^(x*x) * erfc(x) of a positive number, by a polynomial in (x - 4) / (x + 4). */
GPUPROF_FLOAT __nv_erfcf(float a) {
  GPUPROF_NO_FUSION
  const float x = GPUPROF_ABS(a), inverse = gpuprof_reciprocal(x + 4);
  float q = __nvvm_mul_rn_f(x - 4, inverse);
  q = GPUPROF_FMA(inverse, GPUPROF_FMA(-q, x, GPUPROF_FMA(q + 1, -4.0f, x)), q);
  float p = GPUPROF_FMA(q, 0x1.dd5c82p-11f, 0x1.d098dp-8f);
  p = GPUPROF_FMA(p, q, -0x1.03d126p-6f);
  p = GPUPROF_FMA(p, q, 0x1.2a1988p-5f);
  p = GPUPROF_FMA(p, q, -0x1.11124p-4f);
  p = GPUPROF_FMA(p, q, 0x1.804becp-4f);
  p = GPUPROF_FMA(p, q, -0x1.9da0b2p-4f);
  p = GPUPROF_FMA(p, q, 0x1.16e956p-4f);
  p = GPUPROF_FMA(p, q, 0x1.f7dd12p-7f);
  p = GPUPROF_FMA(p, q, -0x1.1df1a8p-3f);
  p = GPUPROF_FMA(p, q, 0x1.3ba592p+0f);
  const float divisor = gpuprof_reciprocal(GPUPROF_FMA(x, 2.0f, 1.0f)), ratio = __nvvm_mul_rn_f(p, divisor);
  const float scaled = GPUPROF_FMA(GPUPROF_FMA(x, ratio * -2, p) - ratio, divisor, ratio);
  const float square = x * -x;
  float power = gpuprof_power_of_e(square, 0);
  power = GPUPROF_FMA(power, GPUPROF_FMA(-x, x, -square), power);
  const float rest = x > 0x1.41c29p+3f ? 0 : power * scaled;
  return a < 0 ? 2 - rest : rest;
}
/* erfc(-a / sqrt(2)) / 2; the argument's rounding error is corrected by the derivative. */
GPUPROF_FLOAT __nv_normcdff(float a) {
  GPUPROF_NO_FUSION
  a = GPUPROF_ABS(a) > 14.5f ? __builtin_copysignf(14.5f, a) : a;
  const float product = __nvvm_mul_rn_f(a, -0x1.6a09e6p-1f);
  const float rest = GPUPROF_FMA(a, -0x1.9fcef4p-27f, GPUPROF_FMA(a, -0x1.6a09e6p-1f, -product));
  const float x = __nvvm_add_rn_f(product, rest);
  float y = __nv_erfcf(x);
  const float difference = __nvvm_add_rn_f(product - x, rest), slope = x * -2 * y;
  y = a < -1 ? GPUPROF_FMA(slope, difference, y) : y;
  return y * 0.5f;
}

#undef GPUPROF_FLOAT
#undef GPUPROF_PART
#undef GPUPROF_FMA
#undef GPUPROF_NO_FUSION
#undef GPUPROF_ABS
#undef GPUPROF_BITS
#undef GPUPROF_NUMBER
#undef GPUPROF_INFINITY
#undef GPUPROF_LN2
#undef GPUPROF_LN2_REST
#undef GPUPROF_LOG2E
#undef GPUPROF_LOG2E_REST
#undef GPUPROF_QUARTER_TURN_LEFT
#undef GPUPROF_QUARTER_TURN_RIGHT
#undef GPUPROF_QUARTER_TURN_PLUS
#undef GPUPROF_LARGE_SINE
#undef GPUPROF_FAR_ANGLE

#endif
