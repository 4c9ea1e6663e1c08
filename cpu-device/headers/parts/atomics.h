/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Atomic functions, implemented with clang's functions for each type. */
#ifndef GPUPROF_MINICUDA_ATOMICS_H
#define GPUPROF_MINICUDA_ATOMICS_H

#define GPUPROF_ATOMIC(name, type, call)                                                                     \
  static __device__ __forceinline__ type name(type *address, type value) { return call(address, value); }
#define GPUPROF_CAS(type, as, call)                                                                          \
  static __device__ __forceinline__ type atomicCAS(type *address, type expected, type value) {               \
    return (type)call((as *)address, (as)expected, (as)value);                                               \
  }

#define GPUPROF_ATOMICS(name, function)                                                                      \
  GPUPROF_ATOMIC(name, int, __i##function)                                                                   \
  GPUPROF_ATOMIC(name, unsigned, __u##function)                                                              \
  GPUPROF_ATOMIC(name, unsigned long long, __ull##function)
GPUPROF_ATOMICS(atomicAdd, AtomicAdd)
GPUPROF_ATOMIC(atomicAdd, float, __fAtomicAdd)
GPUPROF_ATOMIC(atomicAdd, double, __dAtomicAdd)
GPUPROF_ATOMICS(atomicExch, AtomicExch)
GPUPROF_ATOMIC(atomicExch, float, __fAtomicExch)
GPUPROF_ATOMICS(atomicMin, AtomicMin)
GPUPROF_ATOMIC(atomicMin, long long, __illAtomicMin)
GPUPROF_ATOMICS(atomicMax, AtomicMax)
GPUPROF_ATOMIC(atomicMax, long long, __illAtomicMax)
GPUPROF_ATOMICS(atomicAnd, AtomicAnd)
GPUPROF_ATOMICS(atomicOr, AtomicOr)
GPUPROF_ATOMICS(atomicXor, AtomicXor)
GPUPROF_ATOMIC(atomicInc, unsigned, __uAtomicInc)
GPUPROF_ATOMIC(atomicDec, unsigned, __uAtomicDec)
GPUPROF_CAS(int, int, __iAtomicCAS)
static __device__ __forceinline__ unsigned short atomicCAS(unsigned short *address, unsigned short expected,
                                                           unsigned short value) {
  __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected; /* the old value */
}
GPUPROF_CAS(unsigned, unsigned, __uAtomicCAS)
GPUPROF_CAS(unsigned long long, unsigned long long, __ullAtomicCAS)
static __device__ __forceinline__ int atomicSub(int *address, int value) {
  return __iAtomicAdd(address, -value);
}
static __device__ __forceinline__ unsigned atomicSub(unsigned *address, unsigned value) {
  return __uAtomicAdd(address, -value);
}

/* The narrower and wider scopes are the same to a CPU. */
#define GPUPROF_SCOPED(name)                                                                                 \
  template <class T, class V> static __device__ __forceinline__ T name##_block(T *address, V value) {        \
    return name(address, (T)value);                                                                          \
  }                                                                                                          \
  template <class T, class V> static __device__ __forceinline__ T name##_system(T *address, V value) {       \
    return name(address, (T)value);                                                                          \
  }
GPUPROF_SCOPED(atomicAdd)
GPUPROF_SCOPED(atomicSub)
GPUPROF_SCOPED(atomicExch)
GPUPROF_SCOPED(atomicMin)
GPUPROF_SCOPED(atomicMax)
GPUPROF_SCOPED(atomicAnd)
GPUPROF_SCOPED(atomicOr)
GPUPROF_SCOPED(atomicXor)
GPUPROF_SCOPED(atomicInc)
GPUPROF_SCOPED(atomicDec)
template <class T, class V, class W>
static __device__ __forceinline__ T atomicCAS_block(T *address, V expected, W value) {
  return atomicCAS(address, (T)expected, (T)value);
}
template <class T, class V, class W>
static __device__ __forceinline__ T atomicCAS_system(T *address, V expected, W value) {
  return atomicCAS(address, (T)expected, (T)value);
}

#undef GPUPROF_ATOMIC
#undef GPUPROF_ATOMICS
#undef GPUPROF_CAS
#undef GPUPROF_SCOPED

#endif
