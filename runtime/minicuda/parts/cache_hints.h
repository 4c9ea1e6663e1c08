/* Loads and stores with a cache hint, by the instructions that clang's own header uses for them where it has
 * them (clang 16 and 19 do not). As templates they give way to clang's functions of the same name. A value of
 * any of CUDA's types, vectors of up to 16 bytes too, is moved by one access of its size. */
#ifndef GPUPROF_MINICUDA_CACHE_HINTS_H
#define GPUPROF_MINICUDA_CACHE_HINTS_H

template <class T> struct gpuprof_identity {
  typedef T type;
};

#define GPUPROF_ONE_ACCESS(type)                                                                             \
  static_assert(sizeof(type) <= 16 && !(sizeof(type) & (sizeof(type) - 1)), "1, 2, 4, 8 or 16 bytes");

/* A value of 8 bytes or less is in the first word. */
#define GPUPROF_HINTED_LOAD(name, hint, ...)                                                                 \
  template <class T> static __device__ __forceinline__ T name(const T *address) {                            \
    GPUPROF_ONE_ACCESS(T)                                                                                    \
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
GPUPROF_HINTED_LOAD(__ldcv, "cv", : "memory") /* what another thread wrote in between is seen */
#undef GPUPROF_HINTED_LOAD

#define GPUPROF_HINTED_STORE(name, hint)                                                                     \
  template <class T>                                                                                         \
  static __device__ __forceinline__ void name(T *address, typename gpuprof_identity<T>::type value) {        \
    GPUPROF_ONE_ACCESS(T)                                                                                    \
    unsigned long long words[2] = {0, 0};                                                                    \
    __builtin_memcpy(words, &value, sizeof value);                                                           \
    if (sizeof(T) == 16)                                                                                     \
      asm("st.global." hint ".v2.u64 [%0], {%1,%2};" ::"l"(address), "l"(words[0]), "l"(words[1])            \
          : "memory");                                                                                       \
    else if (sizeof(T) == 8)                                                                                 \
      asm("st.global." hint ".u64 [%0], %1;" ::"l"(address), "l"(words[0]) : "memory");                      \
    else if (sizeof(T) == 4)                                                                                 \
      asm("st.global." hint ".u32 [%0], %1;" ::"l"(address), "r"((unsigned)words[0]) : "memory");            \
    else if (sizeof(T) == 2)                                                                                 \
      asm("st.global." hint ".u16 [%0], %1;" ::"l"(address), "h"((unsigned short)words[0]) : "memory");      \
    else                                                                                                     \
      asm("st.global." hint ".u8 [%0], %1;" ::"l"(address), "r"((unsigned)words[0]) : "memory");             \
  }
GPUPROF_HINTED_STORE(__stcg, "cg")
GPUPROF_HINTED_STORE(__stcs, "cs")
GPUPROF_HINTED_STORE(__stwb, "wb")
GPUPROF_HINTED_STORE(__stwt, "wt")
#undef GPUPROF_HINTED_STORE
#undef GPUPROF_ONE_ACCESS

#endif
