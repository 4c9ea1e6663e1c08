/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads and stores with a cache hint. As templates they give way to clang's own functions of these names, if
 * it has any: some in 22, none in 19. The loads are the instructions of clang's functions, and are counted
 * and merged alike: one access of the size of the type, possibly a vector. */
#ifndef GPUPROF_MINICUDA_CACHE_HINTS_H
#define GPUPROF_MINICUDA_CACHE_HINTS_H

/* A value of 8 bytes or less is in the first word. */
#define GPUPROF_HINTED_LOAD(name, hint, ...)                                                                 \
  template <class T> static __device__ __forceinline__ T name(const T *address) {                            \
    static_assert(sizeof(T) <= 16 && !(sizeof(T) & (sizeof(T) - 1)), "a load moves 1, 2, 4, 8 or 16 bytes"); \
    unsigned long long words[2] = {0, 0};                                                                    \
    unsigned word = 0;                                                                                       \
    unsigned short half = 0;                                                                                 \
    if (sizeof(T) == 16) {                                                                                   \
      asm("ld.global." hint ".v2.u64 {%0,%1}, [%2];"                                                         \
          : "=l"(words[0]), "=l"(words[1])                                                                   \
          : "l"(address)__VA_ARGS__);                                                                        \
    } else if (sizeof(T) == 8) {                                                                             \
      asm("ld.global." hint ".u64 %0, [%1];" : "=l"(words[0]) : "l"(address)__VA_ARGS__);                    \
    } else if (sizeof(T) == 4) {                                                                             \
      asm("ld.global." hint ".u32 %0, [%1];" : "=r"(word) : "l"(address)__VA_ARGS__);                        \
      words[0] = word;                                                                                       \
    } else if (sizeof(T) == 2) {                                                                             \
      asm("ld.global." hint ".u16 %0, [%1];" : "=h"(half) : "l"(address)__VA_ARGS__);                        \
      words[0] = half;                                                                                       \
    } else {                                                                                                 \
      asm("ld.global." hint ".u8 %0, [%1];" : "=r"(word) : "l"(address)__VA_ARGS__);                         \
      words[0] = word;                                                                                       \
    }                                                                                                        \
    T value;                                                                                                 \
    __builtin_memcpy(&value, words, sizeof value);                                                           \
    return value;                                                                                            \
  }
GPUPROF_HINTED_LOAD(__ldcg, "cg", )
GPUPROF_HINTED_LOAD(__ldcs, "cs", )
GPUPROF_HINTED_LOAD(__ldcv, "cv", : "memory") /* writes of other threads in between are seen */
#undef GPUPROF_HINTED_LOAD

/* The hint has no effect on a store. */
template <class T> static __device__ __forceinline__ void __stcs(T *address, T value) { *address = value; }
template <class T> static __device__ __forceinline__ void __stcg(T *address, T value) { *address = value; }
template <class T> static __device__ __forceinline__ void __stwb(T *address, T value) { *address = value; }
template <class T> static __device__ __forceinline__ void __stwt(T *address, T value) { *address = value; }

#endif
