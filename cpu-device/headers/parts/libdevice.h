/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CUDA's device library, built from compiler builtins. Functions of one GPU instruction in NVIDIA's library
 * are the same instruction here: counts agree. They also agree for the functions of float_functions.h. Other
 * functions, of many instructions in NVIDIA's library, are one intrinsic here, counted as a special function.
 * The rest stays a call, passed on to the C library by the CPU device.
 */
#ifndef GPUPROF_MINICUDA_LIBDEVICE_H
#define GPUPROF_MINICUDA_LIBDEVICE_H

/* With math=fast the plugin gives these functions the names of their fast forms. Both are defined here. */
#pragma push_macro("__nv_expf")
#pragma push_macro("__nv_exp10f")
#pragma push_macro("__nv_log10f")
#pragma push_macro("__nv_powf")
#pragma push_macro("__nv_tanf")
#undef __nv_expf
#undef __nv_exp10f
#undef __nv_log10f
#undef __nv_powf
#undef __nv_tanf

#include <__clang_cuda_libdevice_declares.h>

#include "float_functions.h"
#include "double_functions.h"
#include "library_functions.h"

/* NVIDIA's library was compiled without contraction: its products never fuse with the caller's sums. */
#define GPUPROF_NO_FUSION _Pragma("clang fp contract(off)")
#define GPUPROF_DEVICE extern "C" __device__ __forceinline__
#define GPUPROF_1(type, name, expression)                                                                    \
  GPUPROF_DEVICE type __nv_##name(type a) { GPUPROF_NO_FUSION return expression; }
#define GPUPROF_2(type, name, expression)                                                                    \
  GPUPROF_DEVICE type __nv_##name(type a, type b) { GPUPROF_NO_FUSION return expression; }
#define GPUPROF_3(type, name, expression)                                                                    \
  GPUPROF_DEVICE type __nv_##name(type a, type b, type c) { GPUPROF_NO_FUSION return expression; }
#define GPUPROF_CAST(result, name, type, expression)                                                         \
  GPUPROF_DEVICE result __nv_##name(type a) { return expression; }

/* One function of mathematics in both precisions. */
#define GPUPROF_MATH_1(name, builtin)                                                                        \
  GPUPROF_1(float, name##f, builtin(a))                                                                      \
  GPUPROF_1(double, name, builtin(a))
#define GPUPROF_MATH_2(name, builtin)                                                                        \
  GPUPROF_2(float, name##f, builtin(a, b))                                                                   \
  GPUPROF_2(double, name, builtin(a, b))
GPUPROF_MATH_1(floor, __builtin_elementwise_floor)
GPUPROF_MATH_1(ceil, __builtin_elementwise_ceil)
GPUPROF_MATH_1(trunc, __builtin_elementwise_trunc)
GPUPROF_MATH_1(fabs, __builtin_elementwise_abs)
GPUPROF_MATH_2(copysign, __builtin_elementwise_copysign)
/* Without a builtin in an older clang, the function stays a call. */
#if __has_builtin(__builtin_elementwise_sqrt)
GPUPROF_1(float, exp2f, __builtin_elementwise_exp2(a))
GPUPROF_MATH_1(sqrt, __builtin_elementwise_sqrt)
GPUPROF_MATH_1(rint, __builtin_elementwise_rint)
GPUPROF_1(double, round, __builtin_elementwise_round(a))
#else
GPUPROF_1(float, sqrtf, __nvvm_sqrt_rn_f(a))
GPUPROF_1(double, sqrt, __nvvm_sqrt_rn_d(a))
GPUPROF_1(float, rintf, __builtin_rintf(a))
GPUPROF_1(double, rint, __builtin_rint(a))
GPUPROF_1(double, round, __builtin_round(a))
GPUPROF_1(float, exp2f, __nvvm_ex2_approx_f(a))
#endif
#if __has_builtin(__builtin_elementwise_tanh)
GPUPROF_1(double, tan, __builtin_elementwise_tan(a))
GPUPROF_1(double, asin, __builtin_elementwise_asin(a))
GPUPROF_1(double, acos, __builtin_elementwise_acos(a))
GPUPROF_1(double, atan, __builtin_elementwise_atan(a))
GPUPROF_1(double, sinh, __builtin_elementwise_sinh(a))
GPUPROF_1(double, cosh, __builtin_elementwise_cosh(a))
#endif
GPUPROF_2(float, fminf, __builtin_fminf(a, b))
GPUPROF_2(double, fmin, __builtin_fmin(a, b))
GPUPROF_2(float, fmaxf, __builtin_fmaxf(a, b))
GPUPROF_2(double, fmax, __builtin_fmax(a, b))
GPUPROF_3(float, fmaf, __builtin_fmaf(a, b, c))
GPUPROF_3(double, fma, __builtin_fma(a, b, c))
GPUPROF_1(float, rsqrtf, __nvvm_rsqrt_approx_f(a))
GPUPROF_1(double, rsqrt, __nvvm_rsqrt_approx_d(a))
GPUPROF_1(float, frsqrt_rn, __nvvm_rsqrt_approx_f(a))
GPUPROF_1(float, saturatef, __nvvm_saturate_f(a))
GPUPROF_CAST(int, isnanf, float, __builtin_isnan(a))
GPUPROF_CAST(int, isnand, double, __builtin_isnan(a))
GPUPROF_CAST(int, isinff, float, __builtin_isinf(a))
GPUPROF_CAST(int, isinfd, double, __builtin_isinf(a))
GPUPROF_CAST(int, finitef, float, __builtin_isfinite(a))
GPUPROF_CAST(int, isfinited, double, __builtin_isfinite(a))
GPUPROF_CAST(int, signbitf, float, __builtin_signbitf(a))
GPUPROF_CAST(int, signbitd, double, __builtin_signbit(a))

/* The fast functions: instructions of the special-function unit with a multiplication where NVIDIA has
 * one. */
GPUPROF_1(float, fast_expf, __nvvm_ex2_approx_f(a * 0x1.715476p+0f))
GPUPROF_1(float, fast_exp10f, __nvvm_ex2_approx_f(a * 0x1.a934f0p+1f))
GPUPROF_1(float, fast_log2f, __nvvm_lg2_approx_f(a))
GPUPROF_1(float, fast_logf, __nvvm_lg2_approx_f(a) * 0x1.62e430p-1f)
GPUPROF_1(float, fast_log10f, __nvvm_lg2_approx_f(a) * 0x1.344136p-2f)
GPUPROF_1(float, fast_sinf, __nvvm_sin_approx_f(a))
GPUPROF_1(float, fast_cosf, __nvvm_cos_approx_f(a))
GPUPROF_1(float, fast_tanf, __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a)))
GPUPROF_2(float, fast_powf, __nvvm_ex2_approx_f(b *__nvvm_lg2_approx_f(a)))
GPUPROF_2(float, fast_fdividef, __nvvm_div_approx_f(a, b))
GPUPROF_DEVICE void __nv_fast_sincosf(float a, float *s, float *c) {
  *s = __nvvm_sin_approx_f(a);
  *c = __nvvm_cos_approx_f(a);
}

/* A mantissa in [0.5, 1) and its exponent; numbers below the least normal one are scaled up first. */
#define GPUPROF_FREXP(type, name, bits, mantissa, bias, up)                                                  \
  GPUPROF_DEVICE type __nv_##name(type a, int *exponent) {                                                   \
    const bits field = ((bits)2 * (bias) + 1) << (mantissa), all = (bits)1 << (sizeof(bits) * 8 - 1);        \
    *exponent = 0;                                                                                           \
    if (!(a - a == 0) || a == 0)                                                                             \
      return a;                                                                                              \
    bits v = __builtin_bit_cast(bits, a);                                                                    \
    if (!(v & field)) {                                                                                      \
      v = __builtin_bit_cast(bits, a * (up));                                                                \
      *exponent = -(mantissa) - 2;                                                                           \
    }                                                                                                        \
    *exponent += (int)((v & ~all) >> (mantissa)) - ((bias) - 1);                                             \
    return __builtin_bit_cast(type, (v & ~field) | ((bits)((bias) - 1) << (mantissa)));                      \
  }
GPUPROF_FREXP(float, frexpf, unsigned, 23, 127, 0x1p25f)
GPUPROF_FREXP(double, frexp, unsigned long long, 52, 1023, 0x1p54)
#undef GPUPROF_FREXP
#define GPUPROF_MODF(type, name)                                                                             \
  GPUPROF_DEVICE type __nv_##name(type a, type *whole) {                                                     \
    *whole = __builtin_elementwise_trunc(a);                                                                 \
    return __builtin_elementwise_copysign(__builtin_isinf(a) ? (type)0 : a - *whole, a);                     \
  }
GPUPROF_MODF(float, modff)
GPUPROF_MODF(double, modf)
#undef GPUPROF_MODF

/* Arithmetic with a stated rounding; PTX calls down "rm" and up "rp". */
#define GPUPROF_ROUNDED(r, ptx)                                                                              \
  GPUPROF_2(float, fadd_##r, __nvvm_add_##ptx##_f(a, b))                                                     \
  GPUPROF_2(float, fsub_##r, __nvvm_add_##ptx##_f(a, -b))                                                    \
  GPUPROF_2(float, fmul_##r, __nvvm_mul_##ptx##_f(a, b))                                                     \
  GPUPROF_2(float, fdiv_##r, __nvvm_div_##ptx##_f(a, b))                                                     \
  GPUPROF_3(float, fmaf_##r, __nvvm_fma_##ptx##_f(a, b, c))                                                  \
  GPUPROF_1(float, frcp_##r, __nvvm_rcp_##ptx##_f(a))                                                        \
  GPUPROF_1(float, fsqrt_##r, __nvvm_sqrt_##ptx##_f(a))                                                      \
  GPUPROF_2(double, dadd_##r, __nvvm_add_##ptx##_d(a, b))                                                    \
  GPUPROF_2(double, dsub_##r, __nvvm_add_##ptx##_d(a, -b))                                                   \
  GPUPROF_2(double, dmul_##r, __nvvm_mul_##ptx##_d(a, b))                                                    \
  GPUPROF_2(double, ddiv_##r, __nvvm_div_##ptx##_d(a, b))                                                    \
  GPUPROF_3(double, fma_##r, __nvvm_fma_##ptx##_d(a, b, c))                                                  \
  GPUPROF_1(double, drcp_##r, __nvvm_rcp_##ptx##_d(a))                                                       \
  GPUPROF_1(double, dsqrt_##r, __nvvm_sqrt_##ptx##_d(a))                                                     \
  GPUPROF_CAST(int, float2int_##r, float, __nvvm_f2i_##ptx(a))                                               \
  GPUPROF_CAST(unsigned, float2uint_##r, float, __nvvm_f2ui_##ptx(a))                                        \
  GPUPROF_CAST(long long, float2ll_##r, float, __nvvm_f2ll_##ptx(a))                                         \
  GPUPROF_CAST(unsigned long long, float2ull_##r, float, __nvvm_f2ull_##ptx(a))                              \
  GPUPROF_CAST(int, double2int_##r, double, __nvvm_d2i_##ptx(a))                                             \
  GPUPROF_CAST(unsigned, double2uint_##r, double, __nvvm_d2ui_##ptx(a))                                      \
  GPUPROF_CAST(long long, double2ll_##r, double, __nvvm_d2ll_##ptx(a))                                       \
  GPUPROF_CAST(unsigned long long, double2ull_##r, double, __nvvm_d2ull_##ptx(a))                            \
  GPUPROF_CAST(float, double2float_##r, double, __nvvm_d2f_##ptx(a))
GPUPROF_ROUNDED(rn, rn)
GPUPROF_ROUNDED(rz, rz)
GPUPROF_ROUNDED(rd, rm)
GPUPROF_ROUNDED(ru, rp)
#undef GPUPROF_ROUNDED

#define GPUPROF_FROM_INTEGER(r, ptx)                                                                         \
  GPUPROF_CAST(float, int2float_##r, int, __nvvm_i2f_##ptx(a))                                               \
  GPUPROF_CAST(float, uint2float_##r, unsigned, __nvvm_ui2f_##ptx(a))                                        \
  GPUPROF_CAST(float, ll2float_##r, long long, __nvvm_ll2f_##ptx(a))                                         \
  GPUPROF_CAST(float, ull2float_##r, unsigned long long, __nvvm_ull2f_##ptx(a))                              \
  GPUPROF_CAST(double, ll2double_##r, long long, __nvvm_ll2d_##ptx(a))                                       \
  GPUPROF_CAST(double, ull2double_##r, unsigned long long, __nvvm_ull2d_##ptx(a))
GPUPROF_FROM_INTEGER(rn, rn)
GPUPROF_FROM_INTEGER(rd, rm)
GPUPROF_FROM_INTEGER(ru, rp)
#if __clang_major__ >= 20
GPUPROF_FROM_INTEGER(rz, rz)
#else
/* The optimiser of LLVMs before 20 makes conversions to nearest of these intrinsics. */
#define GPUPROF_FROM_INTEGER_RZ(result, name, type, types, to, from)                                         \
  GPUPROF_DEVICE result __nv_##name##_rz(type a) {                                                           \
    result converted;                                                                                        \
    asm("cvt.rz." types " %0, %1;" : "=" to(converted) : from(a));                                           \
    return converted;                                                                                        \
  }
GPUPROF_FROM_INTEGER_RZ(float, int2float, int, "f32.s32", "f", "r")
GPUPROF_FROM_INTEGER_RZ(float, uint2float, unsigned, "f32.u32", "f", "r")
GPUPROF_FROM_INTEGER_RZ(float, ll2float, long long, "f32.s64", "f", "l")
GPUPROF_FROM_INTEGER_RZ(float, ull2float, unsigned long long, "f32.u64", "f", "l")
GPUPROF_FROM_INTEGER_RZ(double, ll2double, long long, "f64.s64", "d", "l")
GPUPROF_FROM_INTEGER_RZ(double, ull2double, unsigned long long, "f64.u64", "d", "l")
#undef GPUPROF_FROM_INTEGER_RZ
#endif
#undef GPUPROF_FROM_INTEGER
GPUPROF_CAST(double, int2double_rn, int, a)
GPUPROF_CAST(double, uint2double_rn, unsigned, a)

/* Bits and integers. */
GPUPROF_CAST(int, float_as_int, float, __builtin_bit_cast(int, a))
GPUPROF_CAST(unsigned, float_as_uint, float, __builtin_bit_cast(unsigned, a))
GPUPROF_CAST(float, int_as_float, int, __builtin_bit_cast(float, a))
GPUPROF_CAST(float, uint_as_float, unsigned, __builtin_bit_cast(float, a))
GPUPROF_CAST(unsigned long long, double_as_longlong, double, __builtin_bit_cast(unsigned long long, a))
GPUPROF_CAST(double, longlong_as_double, long long, __builtin_bit_cast(double, a))
GPUPROF_CAST(int, double2hiint, double, __nvvm_d2i_hi(a))
GPUPROF_CAST(int, double2loint, double, __nvvm_d2i_lo(a))
GPUPROF_DEVICE double __nv_hiloint2double(int high, int low) { return __nvvm_lohi_i2d(low, high); }
GPUPROF_1(int, abs, a < 0 ? -a : a)
GPUPROF_1(long long, llabs, a < 0 ? -a : a)
GPUPROF_1(int, brev, (int)__builtin_bitreverse32((unsigned)a))
GPUPROF_1(long long, brevll, (long long)__builtin_bitreverse64((unsigned long long)a))
GPUPROF_1(int, clz, a ? __builtin_clz((unsigned)a) : 32)
GPUPROF_CAST(int, clzll, long long, a ? __builtin_clzll((unsigned long long)a) : 64)
GPUPROF_1(int, ffs, __builtin_ffs(a))
GPUPROF_CAST(int, ffsll, long long, __builtin_ffsll(a))
GPUPROF_CAST(int, popc, unsigned, __builtin_popcount(a))
GPUPROF_CAST(int, popcll, unsigned long long, __builtin_popcountll(a))
GPUPROF_2(int, min, a < b ? a : b)
GPUPROF_2(int, max, a > b ? a : b)
GPUPROF_2(unsigned, umin, a < b ? a : b)
GPUPROF_2(unsigned, umax, a > b ? a : b)
GPUPROF_2(long long, llmin, a < b ? a : b)
GPUPROF_2(long long, llmax, a > b ? a : b)
GPUPROF_2(unsigned long long, ullmin, a < b ? a : b)
GPUPROF_2(unsigned long long, ullmax, a > b ? a : b)
GPUPROF_2(int, mul24, __nvvm_mul24_i(a, b))
GPUPROF_2(unsigned, umul24, __nvvm_mul24_ui(a, b))
GPUPROF_2(int, mulhi, (int)((long long)a * b >> 32))
GPUPROF_2(unsigned, umulhi, (unsigned)((unsigned long long)a * b >> 32))
GPUPROF_2(long long, mul64hi, (long long)((__int128)a * b >> 64))
GPUPROF_2(unsigned long long, umul64hi, (unsigned long long)((unsigned __int128)a * b >> 64))
GPUPROF_2(int, hadd, (int)(((long long)a + b) >> 1))
GPUPROF_2(int, rhadd, (int)(((long long)a + b + 1) >> 1))
GPUPROF_DEVICE int __nv_uhadd(unsigned a, unsigned b) { return (int)(((unsigned long long)a + b) >> 1); }
GPUPROF_2(unsigned, urhadd, (unsigned)(((unsigned long long)a + b + 1) >> 1))
GPUPROF_DEVICE int __nv_sad(int a, int b, int c) { return (a > b ? a - b : b - a) + c; }
GPUPROF_3(unsigned, usad, (a > b ? a - b : b - a) + c)
GPUPROF_3(int, byte_perm, (int)__nvvm_prmt((unsigned)a, (unsigned)b, (unsigned)c))

#undef GPUPROF_CAST
#undef GPUPROF_MATH_1
#undef GPUPROF_MATH_2
#undef GPUPROF_1
#undef GPUPROF_2
#undef GPUPROF_3
#undef GPUPROF_DEVICE
#undef GPUPROF_NO_FUSION

#pragma pop_macro("__nv_expf")
#pragma pop_macro("__nv_exp10f")
#pragma pop_macro("__nv_log10f")
#pragma pop_macro("__nv_powf")
#pragma pop_macro("__nv_tanf")

#endif
