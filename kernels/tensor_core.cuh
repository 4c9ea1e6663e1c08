/* Products of small matrices by warps (mma.sync, sm_80 and later), and what feeds them: matrices from shared memory in
 * the layout of the products, and asynchronous copies into it. Elements are fp16 or bf16, sums are fp32.
 *
 * Layouts, for lane L: a product takes A (16 × 16, by rows), B (16 × 8, by columns) and adds to C (16 × 8).
 *   C   sum[0], sum[1]: row L/4, columns 2·(L%4) and the next; sum[2], sum[3]: row L/4 + 8
 *   A   two elements a word: a[0], a[1]: rows L/4 and L/4 + 8, columns 2·(L%4) and the next; a[2], a[3]: 8 columns on
 *   B   b[0]: rows 2·(L%4) and the next of column L/4; b[1]: 8 rows on
 * Two neighbouring C, rounded to elements, are an A: the sums of one product are the left matrix of the next.
 */
#ifndef GPUPROF_KERNELS_TENSOR_CORE_CUH
#define GPUPROF_KERNELS_TENSOR_CORE_CUH

#include "elements.cuh"

/* ---- Elements ---- */

/* Two floats, rounded to nearest even, in a word. */
template <typename Element> __device__ __forceinline__ unsigned tensor_pair(float low, float high);
template <> __device__ __forceinline__ unsigned tensor_pair<Fp16>(float low, float high) {
  unsigned pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}
template <> __device__ __forceinline__ unsigned tensor_pair<Bf16>(float low, float high) {
  unsigned pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}

/* The two elements of a word, the first in its lower half. */
template <typename Element> __device__ __forceinline__ void tensor_values(float (&values)[2], unsigned pair);
template <> __device__ __forceinline__ void tensor_values<Fp16>(float (&values)[2], unsigned pair) {
  asm("{ .reg .b16 low, high; mov.b32 {low, high}, %2; cvt.f32.f16 %0, low; cvt.f32.f16 %1, high; }"
      : "=f"(values[0]), "=f"(values[1])
      : "r"(pair));
}
template <> __device__ __forceinline__ void tensor_values<Bf16>(float (&values)[2], unsigned pair) {
  values[0] = __uint_as_float(pair << 16);
  values[1] = __uint_as_float(pair & 0xffff0000u);
}

/* 2 to the power of x, to 2 ulp. */
__device__ __forceinline__ float power_of_two(float x) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
  return power;
}

/* The logarithm of x to base 2, within 2^-22; −∞ of 0. */
__device__ __forceinline__ float logarithm_of_two(float x) {
  float logarithm;
  asm("lg2.approx.f32 %0, %1;" : "=f"(logarithm) : "f"(x));
  return logarithm;
}

/* ---- Products ---- */

#define TENSOR_PRODUCT(types)                                                                                \
  asm("mma.sync.aligned.m16n8k16.row.col.f32." types ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "          \
      "{%0,%1,%2,%3};"                                                                                       \
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])                                               \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1))

template <typename Element>
__device__ __forceinline__ void tensor_product(float (&sum)[4], const unsigned (&a)[4], unsigned b0,
                                               unsigned b1);
template <>
__device__ __forceinline__ void tensor_product<Fp16>(float (&sum)[4], const unsigned (&a)[4], unsigned b0,
                                                     unsigned b1) {
  TENSOR_PRODUCT("f16.f16");
}
template <>
__device__ __forceinline__ void tensor_product<Bf16>(float (&sum)[4], const unsigned (&a)[4], unsigned b0,
                                                     unsigned b1) {
  TENSOR_PRODUCT("bf16.bf16");
}

/* ---- Shared memory, by its 32-bit addresses ---- */

__device__ __forceinline__ unsigned shared_address(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}

/* Four 8 × 8 matrices of elements; lane L gives the address of row L%8 of matrix L/8. */
__device__ __forceinline__ void load_matrices(unsigned (&words)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(address));
}
__device__ __forceinline__ void load_matrices_transposed(unsigned (&words)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(address));
}

/* Four floats at a multiple of 16 bytes. */
__device__ __forceinline__ void load_floats(float (&values)[4], unsigned address) {
  asm volatile("ld.shared.v4.f32 {%0,%1,%2,%3}, [%4];"
               : "=f"(values[0]), "=f"(values[1]), "=f"(values[2]), "=f"(values[3])
               : "r"(address));
}

/* ---- Asynchronous copies ---- */

/* 16 bytes from global memory. */
__device__ __forceinline__ void copy_async(unsigned to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
/* 16 bytes of zeroes, in place of a copy from outside an array. */
__device__ __forceinline__ void store_zeroes(unsigned to) {
  asm volatile("st.shared.v4.b32 [%0], {%1,%1,%1,%1};" ::"r"(to), "r"(0) : "memory");
}
/* The same for 8 bytes. */
__device__ __forceinline__ void copy_async_8(unsigned to, const void *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(from) : "memory");
}
__device__ __forceinline__ void store_zeroes_8(unsigned to) {
  asm volatile("st.shared.v2.b32 [%0], {%1,%1};" ::"r"(to), "r"(0) : "memory");
}
__device__ __forceinline__ void copy_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/* Waits until all but the last `Pending` groups of this thread have arrived. */
template <int Pending> __device__ __forceinline__ void copy_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}

#endif
