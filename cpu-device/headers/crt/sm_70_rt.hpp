/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Included by clang's __clang_cuda_intrinsics.h: match for every type, by its 32-bit and 64-bit forms. */
#define GPUPROF_MATCH(type, bits, as)                                                                        \
  static __device__ __forceinline__ unsigned __match_any_sync(unsigned mask, type value) {                   \
    return __match##bits##_any_sync(mask, as);                                                               \
  }                                                                                                          \
  static __device__ __forceinline__ unsigned __match_all_sync(unsigned mask, type value, int *predicate) {   \
    return __match##bits##_all_sync(mask, as, predicate);                                                    \
  }
GPUPROF_MATCH(unsigned, 32, value)
GPUPROF_MATCH(int, 32, (unsigned)value)
GPUPROF_MATCH(float, 32, __float_as_uint(value))
GPUPROF_MATCH(unsigned long, 64, value)
GPUPROF_MATCH(long, 64, (unsigned long long)value)
GPUPROF_MATCH(unsigned long long, 64, value)
GPUPROF_MATCH(long long, 64, (unsigned long long)value)
GPUPROF_MATCH(double, 64, (unsigned long long)__double_as_longlong(value))
#undef GPUPROF_MATCH
