/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Dot products of four bytes, and of two halves with two bytes, as instructions: __dp4a, __dp2a_lo,
 * __dp2a_hi. */
#ifndef GPUPROF_MINICUDA_DOT_PRODUCTS_H
#define GPUPROF_MINICUDA_DOT_PRODUCTS_H

#define GPUPROF_DOT(name, type, instruction)                                                                 \
  static __device__ __forceinline__ type name(type a, type b, type c) {                                      \
    type d;                                                                                                  \
    asm(instruction " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));                                  \
    return d;                                                                                                \
  }
/* The same for vectors with the bytes of a word. */
#define GPUPROF_DOT_OF(name, type, left, right)                                                              \
  static __device__ __forceinline__ type name(left a, right b, type c) {                                     \
    return name(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c);                                \
  }
#define GPUPROF_DOTS(name, form)                                                                             \
  GPUPROF_DOT(name, int, form ".s32.s32")                                                                    \
  GPUPROF_DOT(name, unsigned, form ".u32.u32")
GPUPROF_DOTS(__dp4a, "dp4a")
GPUPROF_DOTS(__dp2a_lo, "dp2a.lo")
GPUPROF_DOTS(__dp2a_hi, "dp2a.hi")
GPUPROF_DOT_OF(__dp4a, int, char4, char4)
GPUPROF_DOT_OF(__dp4a, unsigned, uchar4, uchar4)
GPUPROF_DOT_OF(__dp2a_lo, int, short2, char4)
GPUPROF_DOT_OF(__dp2a_lo, unsigned, ushort2, uchar4)
GPUPROF_DOT_OF(__dp2a_hi, int, short2, char4)
GPUPROF_DOT_OF(__dp2a_hi, unsigned, ushort2, uchar4)
#undef GPUPROF_DOTS
#undef GPUPROF_DOT_OF
#undef GPUPROF_DOT

#endif
