/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The most frequent functions of floats, with NVIDIA's number of operations of each kind: counts agree
 * between both headers. The polynomials are fitted for these numbers of terms; errors are a few units in the
 * last place.
 */
#ifndef GPUPROF_MINICUDA_FLOAT_FUNCTIONS_H
#define GPUPROF_MINICUDA_FLOAT_FUNCTIONS_H

#define GPUPROF_FLOAT extern "C" __device__ __forceinline__ float
#define GPUPROF_FMA(a, b, c) __builtin_fmaf(a, b, c)
/* NVIDIA's library was compiled without contraction. The pragma stands in each function: at file level it
 * would hold for the program, too. */
#define GPUPROF_NO_FUSION _Pragma("clang fp contract(off)")

/* 2 to the power of a * (high + low). n is the nearest integer, from -126 to 126; 2^n is built from bits. */
extern "C" __device__ __forceinline__ float gpuprof_power_of_two(float a, float high, float low) {
  GPUPROF_NO_FUSION
  const float shifted = GPUPROF_FMA(__nvvm_saturate_f(GPUPROF_FMA(a, high / 252, 0.5f)), 252.0f, 0x1.8p23f + 1);
  const float n = shifted - (0x1.8p23f + 127);
  const float rest = GPUPROF_FMA(a, low, GPUPROF_FMA(a, high, -n));
  return __nvvm_ex2_approx_ftz_f(rest) *
         __builtin_bit_cast(float, __builtin_bit_cast(unsigned, shifted) << 23);
}
GPUPROF_FLOAT __nv_expf(float a) { return gpuprof_power_of_two(a, 0x1.715476p+0f, 0x1.4ae0cp-26f); }
GPUPROF_FLOAT __nv_exp10f(float a) { return gpuprof_power_of_two(a, 0x1.a934fp+1f, 0x1.2f346ep-24f); }

/* A non-negative number as 2^exponent * (1 + fraction), the fraction from -1/3 to 1/3. */
struct gpuprof_parts {
  float scaled, exponent, fraction;
  unsigned bits;
};
extern "C" __device__ __forceinline__ struct gpuprof_parts gpuprof_parts_of(float a) {
  GPUPROF_NO_FUSION
  struct gpuprof_parts parts;
  const int is_small = a < 0x1p-126f;
  parts.scaled = is_small ? a * 0x1p23f : a;
  parts.bits = __builtin_bit_cast(unsigned, parts.scaled);
  const unsigned exponent = (parts.bits - 0x3f2aaaab) & 0xff800000;
  parts.exponent = GPUPROF_FMA((float)(int)exponent, 0x1p-23f, is_small ? -23.0f : 0.0f);
  parts.fraction = __builtin_bit_cast(float, parts.bits - exponent) - 1;
  return parts;
}
/* Infinity, NaN and numbers below zero; then zero. */
extern "C" __device__ __forceinline__ float gpuprof_log_of(struct gpuprof_parts parts, float log) {
  GPUPROF_NO_FUSION
  const float infinity = __builtin_huge_valf();
  if (parts.bits > 0x7f7fffff)
    log = GPUPROF_FMA(parts.scaled, infinity, infinity);
  return parts.scaled == 0 ? -infinity : log;
}
extern "C" __device__ __forceinline__ float gpuprof_natural_log(struct gpuprof_parts parts) {
  GPUPROF_NO_FUSION
  const float f = parts.fraction;
  float p = GPUPROF_FMA(-0x1.10938ep-3f, f, 0x1.1ed21ap-3f);
  p = GPUPROF_FMA(p, f, -0x1.eebf42p-4f);
  p = GPUPROF_FMA(p, f, 0x1.1ebe32p-3f);
  p = GPUPROF_FMA(p, f, -0x1.55ccc0p-3f);
  p = GPUPROF_FMA(p, f, 0x1.99d1f6p-3f);
  p = GPUPROF_FMA(p, f, -0x1.fffd6ep-3f);
  p = GPUPROF_FMA(p, f, 0x1.555502p-2f);
  p = GPUPROF_FMA(p, f, -0x1.000000p-1f);
  return GPUPROF_FMA(parts.exponent, 0x1.62e430p-1f, GPUPROF_FMA(p * f, f, f));
}
GPUPROF_FLOAT __nv_logf(float a) {
  GPUPROF_NO_FUSION
  const struct gpuprof_parts parts = gpuprof_parts_of(a);
  return gpuprof_log_of(parts, gpuprof_natural_log(parts));
}
GPUPROF_FLOAT __nv_log10f(float a) {
  GPUPROF_NO_FUSION
  const struct gpuprof_parts parts = gpuprof_parts_of(a);
  return gpuprof_log_of(parts, gpuprof_natural_log(parts) * 0x1.bcb7b2p-2f);
}
GPUPROF_FLOAT __nv_log2f(float a) {
  GPUPROF_NO_FUSION
  const struct gpuprof_parts parts = gpuprof_parts_of(a);
  const float f = parts.fraction;
  float p = GPUPROF_FMA(0x1.7087dep-3f, f, -0x1.80bb98p-3f);
  p = GPUPROF_FMA(p, f, 0x1.39f08cp-3f);
  p = GPUPROF_FMA(p, f, -0x1.66f0d4p-3f);
  p = GPUPROF_FMA(p, f, 0x1.a70306p-3f);
  p = GPUPROF_FMA(p, f, -0x1.ecf36ap-3f);
  p = GPUPROF_FMA(p, f, 0x1.277370p-2f);
  p = GPUPROF_FMA(p, f, -0x1.71532ep-2f);
  p = GPUPROF_FMA(p, f, 0x1.ec70a6p-2f);
  p = GPUPROF_FMA(p, f, -0x1.715478p-1f);
  return gpuprof_log_of(parts, GPUPROF_FMA(f, 0x1.715476p+0f, p * f * f) + parts.exponent);
}

/* Large: 1 - 2 / (exp(2|a|) + 1). */
GPUPROF_FLOAT __nv_tanhf(float a) {
  GPUPROF_NO_FUSION
  const float size = __builtin_fabsf(a), s = a * a;
  const float inverse = __nvvm_rcp_approx_ftz_f(__nvvm_ex2_approx_ftz_f(size * 0x1.715476p+1f) + 1);
  float large = GPUPROF_FMA(inverse, -2.0f, 1.0f);
  large = __builtin_copysignf(size >= 0x1.205966p+3f ? 1.0f : large, a);
  float p = GPUPROF_FMA(0x1.004472p-6f, s, -0x1.abe1e0p-5f);
  p = GPUPROF_FMA(p, s, 0x1.10a944p-3f);
  p = GPUPROF_FMA(p, s, -0x1.555378p-2f);
  const float small = GPUPROF_FMA(GPUPROF_FMA(p, s, 0.0f), a, a);
  return size >= 0x1.19999ap-1f ? large : small;
}

/* Below about 1: a + a * p(a * a); above: 1 - 2^(-|a| * (1 + p(|a|))). */
GPUPROF_FLOAT __nv_erff(float a) {
  GPUPROF_NO_FUSION
  const float size = __builtin_fabsf(a), square = a * a;
  const int is_large = size >= 0x1.00c1fcp+0f;
  const float x = is_large ? size : square;
  float p = GPUPROF_FMA(is_large ? 0x1.543a3ep-16f : 0x1.4ae498p-14f, x, is_large ? -0x1.09ef88p-11f : -0x1.a485d8p-11f);
  p = GPUPROF_FMA(p, x, is_large ? 0x1.63aa7ap-8f : 0x1.5419f2p-8f);
  p = GPUPROF_FMA(p, x, is_large ? -0x1.1be03ap-5f : -0x1.b7fbb4p-6f);
  p = GPUPROF_FMA(p, x, is_large ? 0x1.3acb4cp-3f : 0x1.ce2d20p-4f);
  p = GPUPROF_FMA(p, x, is_large ? 0x1.d5056cp-1f : -0x1.81273ep-2f);
  p = GPUPROF_FMA(p, x, is_large ? 0x1.41b8fap-1f : 0x1.06eba8p-3f);
  const float sign = is_large ? -size : a;
  p = GPUPROF_FMA(p, sign, sign);
  return is_large ? __builtin_copysignf(1 - __nvvm_ex2_approx_ftz_f(p), a) : p;
}

/* The remainder of a after whole quarters of a turn; angles far from zero need more digits. */
#define GPUPROF_FAR_ANGLE 105615.0f
extern "C" __device__ __forceinline__ float gpuprof_quarter(float a, int *quarter) {
  GPUPROF_NO_FUSION
  *quarter = __nvvm_f2i_rn(a * 0x1.45f306p-1f);
  const float n = (float)*quarter;
  return GPUPROF_FMA(n, -0x1.84698ap-48f, GPUPROF_FMA(n, -0x1.4442dp-24f, GPUPROF_FMA(n, -0x1.921fb4p+0f, a)));
}
extern "C" __device__ __forceinline__ float gpuprof_wave(float r, int quarter) {
  GPUPROF_NO_FUSION
  const int is_cosine = quarter & 1;
  const float s = r * r, z = is_cosine ? 1.0f : r;
  float p = GPUPROF_FMA(is_cosine ? 0x1.9912c8p-16f : 0x1.6cc01ep-19f, s, is_cosine ? -0x1.6c07f4p-10f : -0x1.a00f3ap-13f);
  p = GPUPROF_FMA(p, s, is_cosine ? 0x1.55553cp-5f : 0x1.111108p-7f);
  p = GPUPROF_FMA(p, s, is_cosine ? -0x1.000000p-1f : -0x1.555556p-3f);
  p = GPUPROF_FMA(p, GPUPROF_FMA(s, z, 0.0f), z);
  return quarter & 2 ? 0 - p : p;
}
GPUPROF_FLOAT __nv_sinf(float a) {
  GPUPROF_NO_FUSION
  int quarter;
  const float r = gpuprof_quarter(a, &quarter);
  return __builtin_fabsf(a) < GPUPROF_FAR_ANGLE ? gpuprof_wave(r, quarter) : __builtin_elementwise_sin(a);
}
GPUPROF_FLOAT __nv_cosf(float a) {
  GPUPROF_NO_FUSION
  int quarter;
  const float r = gpuprof_quarter(a, &quarter);
  return __builtin_fabsf(a) < GPUPROF_FAR_ANGLE ? gpuprof_wave(r, quarter + 1) : __builtin_elementwise_cos(a);
}
#undef GPUPROF_NO_FUSION
#undef GPUPROF_FMA
#undef GPUPROF_FLOAT

#endif
