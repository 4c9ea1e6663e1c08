/* wgmma in inline PTX: descriptors of matrices in shared memory, and the instructions around a product. */
#ifndef WARP_GROUPS_H
#define WARP_GROUPS_H

#include "lanes.h"

/* How matrices lie in shared memory: rows of so many bytes are swizzled together. */
enum Swizzle { None, Bytes128, Bytes64, Bytes32 }; /* as descriptors number them */
static __host__ __device__ inline int span_of(int swizzle) { return swizzle ? 256 >> swizzle : 16; }

/* The real place of byte `offset` of a pattern beginning at a multiple of 1,024. */
static __host__ __device__ inline int swizzled(int swizzle, int offset) {
  return offset ^ (offset >> 7 & (span_of(swizzle) / 16 - 1)) << 4;
}

/* fp16's code of a small whole number. */
static inline unsigned short half_of(int number) {
  if (!number)
    return 0;
  int size = number < 0 ? -number : number, exponent = 0;
  while (size >> (exponent + 1))
    exponent++;
  return (unsigned short)((number < 0) << 15 | (exponent + 15) << 10 | (size << (10 - exponent) & 1023));
}

#ifdef __CUDACC__
static __device__ inline unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

/* PTX ISA, "Matrix descriptor". */
static __device__ inline unsigned long long descriptor(const void *matrix, int swizzle, int leading, int stride) {
  const unsigned long long start = (shared_address(matrix) & 0x3ffff) >> 4;
  return start | (unsigned long long)(leading >> 4) << 16 | (unsigned long long)(stride >> 4) << 32 |
         (unsigned long long)swizzle << 62;
}

/* Generic stores to shared memory are visible to the following instructions. */
static __device__ inline void publish() {
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
}

template <int N> __device__ inline void fence_registers(float (&d)[N]) {
#pragma unroll
  for (int i = 0; i < N; i++)
    asm volatile("" : "+f"(d[i])::"memory");
}

static __device__ inline void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
static __device__ inline void end_products() {
  asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory");
}

/* Row and column of element i of the thread's sums; a warp group is threads 128 n to 128 n + 127. */
static __device__ inline int sum_row(int i) {
  return threadIdx.x % 128 / 32 * 16 + lane_id() / 4 + i / 2 % 2 * 8;
}
static __device__ inline int sum_column(int i) { return i / 4 * 8 + lane_id() % 4 * 2 + i % 2; }

/* Lists of registers for products of 128 and 64 columns. */
#define SUMS_8(n) "+f"(d[n]), "+f"(d[n + 1]), "+f"(d[n + 2]), "+f"(d[n + 3]), "+f"(d[n + 4]), "+f"(d[n + 5]), "+f"(d[n + 6]), "+f"(d[n + 7])
#define SUMS_32 SUMS_8(0), SUMS_8(8), SUMS_8(16), SUMS_8(24)
#define SUMS_64 SUMS_32, SUMS_8(32), SUMS_8(40), SUMS_8(48), SUMS_8(56)
#define NAMES_32 \
  "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#define NAMES_64 \
  NAMES_32 ",%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58," \
           "%59,%60,%61,%62,%63"
#endif

#endif
