// Floating-point and integer arithmetic, conversions, library functions.
#include "micro.h"

#define ARITHMETIC_KERNELS(F)                                                                                \
  /* fp32 */                                                                                                 \
  F(fp32_add, float, Float, x = x + y)                                                                       \
  F(fp32_sub, float, Float, x = y - x)                                                                       \
  F(fp32_mul, float, Float, x = x * y)                                                                       \
  F(fp32_fma, float, Float, x = fmaf(x, y, 1.0f))                                                            \
  F(fp32_fused, float, Float, x = x * y + y)                                                                 \
  F(fp32_unfused, float, Float, x = __fadd_rn(__fmul_rn(x, y), y))                                           \
  F(fp32_minmax, float, Float, x = fmaxf(fminf(x, y) + y, 0.5f))                                             \
  F(fp32_select, float, Float, x = x > y ? x + y : x - y)                                                    \
  F(fp32_sign, float, Float, x = -fabsf(x) * y)                                                              \
  F(fp32_div, float, Float, x = x / y)                                                                       \
  F(fp32_div_tiny, float, Float, x = x * 1e-38f / (y * 1e-38f))                                              \
  F(fp32_rcp_zero, float, Float, x = y + 1.0f / (x > 1.5f ? x : 0.0f))                                       \
  F(fp32_rcp, float, Float, x = 1.0f / x + y)                                                                \
  F(fp32_div_rn, float, Float, x = __fdiv_rn(x, y))                                                          \
  F(fp32_rcp_rn, float, Float, x = __frcp_rn(x) + y)                                                         \
  F(fp32_div_full, float, Float, asm("div.full.f32 %0, %0, %1;" : "+f"(x) : "f"(y)))                         \
  F(fp32_fdividef, float, Float, x = __fdividef(x, y))                                                       \
  F(fp32_sqrt, float, Float, x = sqrtf(x) + y)                                                               \
  F(fp32_sqrt_rn, float, Float, x = __fsqrt_rn(x) + y)                                                       \
  F(fp32_rsqrt, float, Float, x = rsqrtf(x) + y)                                                             \
  F(fp32_rsqrt_rn, float, Float, x = __frsqrt_rn(x) + y)                                                     \
  F(fp32_exp, float, Float, x = expf(x) - y)                                                                 \
  F(fp32_exp_fast, float, Float, x = __expf(x) * y)                                                          \
  F(fp32_exp2, float, Float, x = exp2f(x) - y)                                                               \
  F(fp32_log, float, Float, x = logf(x) + y)                                                                 \
  F(fp32_log_fast, float, Float, x = __logf(x) + y)                                                          \
  F(fp32_log2, float, Float, x = log2f(x) + y)                                                               \
  F(fp32_sin, float, Float, x = sinf(x) + y)                                                                 \
  F(fp32_sin_fast, float, Float, x = __sinf(x) + y)                                                          \
  F(fp32_cos_fast, float, Float, x = __cosf(x) + y)                                                          \
  F(fp32_tanh, float, Float, x = tanhf(x) + y)                                                               \
  F(fp32_erf, float, Float, x = erff(x) + y)                                                                 \
  /* fp64 */                                                                                                 \
  F(fp64_add, double, Double, x = x + y)                                                                     \
  F(fp64_mul, double, Double, x = x * y)                                                                     \
  F(fp64_fma, double, Double, x = fma(x, y, 1.0))                                                            \
  F(fp64_minmax, double, Double, x = fmax(fmin(x, y) + y, 0.5))                                              \
  F(fp64_div, double, Double, x = x / y)                                                                     \
  F(fp64_div_zero, double, Double, x = x + (i & 1 ? x : 0.0) / y)                                            \
  F(fp64_rcp, double, Double, x = 1.0 / x + y)                                                               \
  F(fp64_sqrt, double, Double, x = sqrt(x) + y)                                                              \
  F(fp64_rsqrt, double, Double, x = rsqrt(x) + y)                                                            \
  F(fp64_exp, double, Double, x = exp(x) - y)                                                                \
  F(fp64_log, double, Double, x = log(x) + y)                                                                \
  /* fp16 and bf16: one element, and two in one instruction */                                               \
  F(fp16_add, __half, Half, x = __hadd(x, y))                                                                \
  F(fp16_mul, __half, Half, x = __hmul(x, y))                                                                \
  F(fp16_fma, __half, Half, x = __hfma(x, y, y))                                                             \
  F(fp16_div, __half, Half, x = __hdiv(x, y))                                                                \
  F(half2_add, __half2, Half, x = __hadd2(x, y))                                                             \
  F(half2_mul, __half2, Half, x = __hmul2(x, y))                                                             \
  F(half2_fma, __half2, Half, x = __hfma2(x, y, y))                                                          \
  F(half2_minmax, __half2, Half, x = __hadd2(__hmax2(x, y), y))                                              \
  F(half2_sign, __half2, Half, x = __hadd2(__hneg2(x), __habs2(y)))                                          \
  F(half2_exp2, __half2, Half, x = h2exp2(x))                                                                \
  F(bf16_add, __nv_bfloat16, BFloat, x = __hadd(x, y))                                                       \
  F(bf16_mul, __nv_bfloat16, BFloat, x = __hmul(x, y))                                                       \
  F(bf16_fma, __nv_bfloat16, BFloat, x = __hfma(x, y, y))                                                    \
  F(bfloat2_add, __nv_bfloat162, BFloat, x = __hadd2(x, y))                                                  \
  F(bfloat2_mul, __nv_bfloat162, BFloat, x = __hmul2(x, y))                                                  \
  F(bfloat2_fma, __nv_bfloat162, BFloat, x = __hfma2(x, y, y))                                               \
  /* integers and conversions: no FLOPs */                                                                   \
  F(int_mixed, int, Integer, x = (x * y + 7) ^ (x >> 3))                                                     \
  F(int_div, int, Integer, x = x / y + 9)                                                                    \
  F(uint64_div, unsigned long long, Integer, x = x / y + 9)                                                  \
  F(int_bits, int, Integer, x = __popc(x) + __clz(y) + __brev(x))                                            \
  F(convert_int, float, Float, x = static_cast<float>(static_cast<int>(x) + 3))                              \
  F(convert_double, double, Double, x = static_cast<double>(static_cast<float>(x)) + y)                      \
  F(convert_half, float, Float, x = __half2float(__float2half(x)) + y)                                       \
  F(convert_bfloat, float, Float, x = __bfloat162float(__float2bfloat16(x)) + y)

#define DEFINE(name, type, fill, body) MICRO_CHAIN(name, type, body)
ARITHMETIC_KERNELS(DEFINE)
#undef DEFINE
