/* Instructions of Hopper (sm_90a) beyond tensor_core.cuh. Groups of four warps multiply out of shared memory (wgmma). One
 * thread copies boxes of tensors (tensor maps), and barriers in shared memory count their bytes. Registers move from one warp
 * group to another.
 *
 * Matrices in shared memory are swizzled: rows of 128 bytes, 64 elements; the 16-byte chunks of row r are exchanged by
 * r % 8; a matrix begins at a multiple of 1024 bytes. A group's product has 64 rows; for lane L of warp W of the group, sum i
 * is in row 16·W + L/4 + 8·(i/2%2), column 8·(i/4) + 2·(L%4) + i%2.
 */
#ifndef GPUPROF_KERNELS_HOPPER_CUH
#define GPUPROF_KERNELS_HOPPER_CUH

#include "tensor_core.cuh"

/* ---- Tensor maps ---- */

struct alignas(64) TensorMap {
  unsigned long long opaque[16];
};

/* The driver's cuTensorMapEncodeTiled. */
typedef int (*TensorEncode)(TensorMap *, int type, unsigned rank, void *address,
                            const unsigned long long *dimensions, const unsigned long long *strides,
                            const unsigned *box, const unsigned *steps, int interleave, int swizzle,
                            int promotion, int fill);

inline int tensor_type(Fp16) { return 6; }
inline int tensor_type(Bf16) { return 9; }

/* Boxes of 64 columns and `box_rows` rows of [matrices][rows][columns]; rows begin `stride` elements apart, 0: `columns`. Returns 0,
 * or CUDA's error. Outside the tensor are zeroes. */
template <typename Element>
inline int tensor_map(TensorEncode encode, TensorMap *map, const Element *address, int columns, int rows,
                      int matrices, int box_rows, int stride = 0) {
  const unsigned long long dimensions[] = {(unsigned long long)columns, (unsigned long long)rows,
                                           (unsigned long long)matrices};
  const unsigned long long row_bytes = 2ull * (stride ? stride : columns), strides[] = {row_bytes, row_bytes * rows};
  const unsigned box[] = {64, (unsigned)box_rows, 1}, steps[] = {1, 1, 1};
  enum { NoInterleave = 0, Swizzle128 = 3, Promotion256 = 3, FillZero = 0 };
  return encode(map, tensor_type(Element()), 3, (void *)address, dimensions, strides, box, steps,
                NoInterleave, Swizzle128, Promotion256, FillZero);
}

/* One thread; `barrier` is told the bytes before. */
__device__ __forceinline__ void tensor_load(unsigned to, const TensorMap &map, unsigned barrier, int column,
                                            int row, int matrix) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%2, {%3, %4, %5}], "
      "[%1];" ::"r"(to),
      "r"(barrier), "l"(&map), "r"(column), "r"(row), "r"(matrix)
      : "memory");
}

/* ---- Barriers, by their 32-bit addresses ---- */

__device__ __forceinline__ void barrier_make(unsigned barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
/* After making barriers, before the __syncthreads that shows them to others. */
__device__ __forceinline__ void barriers_publish() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ __forceinline__ void barrier_expect(unsigned barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}
__device__ __forceinline__ void barrier_arrive(unsigned barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
/* Waits until the phase of this parity is over; of a new barrier the phase before the first, of parity 1, is over. */
__device__ __forceinline__ void barrier_wait(unsigned barrier, unsigned parity) {
  asm volatile("{ .reg .pred done;\n"
               "WAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "  @done bra ON;\n"
               "  bra WAIT;\n"
               "ON: }" ::"r"(barrier),
               "r"(parity)
               : "memory");
}

/* ---- Registers of a warp group ---- */

template <int Registers> __device__ __forceinline__ void registers_release() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
}
template <int Registers> __device__ __forceinline__ void registers_take() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
}

/* ---- Products of a warp group ---- */

template <typename Element> struct TensorTypes;
template <> struct TensorTypes<Fp16> {
  enum { half = 1 };
};
template <> struct TensorTypes<Bf16> {
  enum { half = 0 };
};

/* A swizzled matrix. `leading`: bytes from 64 columns to the next, where columns are the columns of the product. */
__device__ __forceinline__ unsigned long long group_matrix(unsigned address, unsigned leading) {
  const unsigned long long swizzle128 = 1ull << 62, eight_rows = 1024 >> 4;
  return swizzle128 | eight_rows << 32 | (unsigned long long)(leading >> 4) << 16 | (address & 0x3ffff) >> 4;
}

/* Products run on while the warps do other work. Their registers belong to them from group_begin to group_wait: group_fence
 * keeps the compiler from moving what uses them over either. */
__device__ __forceinline__ void group_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void group_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int Pending> __device__ __forceinline__ void group_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}
template <int Count> __device__ __forceinline__ void group_fence(float (&sums)[Count]) {
#pragma unroll
  for (int i = 0; i < Count; ++i)
    asm volatile("" : "+f"(sums[i])::"memory");
}

#define GROUP_8(n)                                                                                           \
  "+f"(sum[n]), "+f"(sum[n + 1]), "+f"(sum[n + 2]), "+f"(sum[n + 3]), "+f"(sum[n + 4]), "+f"(sum[n + 5]),    \
      "+f"(sum[n + 6]), "+f"(sum[n + 7])
#define GROUP_32 GROUP_8(0), GROUP_8(8), GROUP_8(16), GROUP_8(24)
#define GROUP_64 GROUP_32, GROUP_8(32), GROUP_8(40), GROUP_8(48), GROUP_8(56)
#define GROUP_NAMES_32                                                                                       \
  "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%"                 \
  "24,%25,%26,%27,%28,%29,%30,%31}, "
#define GROUP_NAMES_64                                                                                       \
  "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%"                 \
  "24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%"                 \
  "46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63}, "

/* sum = A·B, plus what it was if `keep`: both matrices in shared memory, by rows of A and columns of B. */
#define GROUP_PRODUCT_OF_ROWS(columns, registers, types, left, right, keep_at)                               \
  asm volatile("{ .reg .pred keep; setp.ne.b32 keep, " keep_at ", 0;\n"                                      \
               "wgmma.mma_async.sync.aligned.m64n" columns "k16.f32." types " " GROUP_NAMES_##registers left \
               ", " right ", keep, 1, 1, 0, 0; }"                                                            \
               : GROUP_##registers                                                                           \
               : "l"(a), "l"(b), "r"((int)keep))
/* sum += A·B: A in registers as tensor_core.cuh has it, a warp's rows each; B in shared memory, by rows. */
#define GROUP_PRODUCT_OF_REGISTERS(columns, registers, types, left, right)                                   \
  asm volatile("wgmma.mma_async.sync.aligned.m64n" columns "k16.f32." types " " GROUP_NAMES_##registers left \
               ", " right ", 1, 1, 1, 1;"                                                                    \
               : GROUP_##registers                                                                           \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b))

template <typename Element, int Count>
__device__ __forceinline__ void group_product(float (&sum)[Count], unsigned long long a, unsigned long long b,
                                              bool keep) {
  constexpr bool half = TensorTypes<Element>::half;
  if constexpr (Count == 32 && half)
    GROUP_PRODUCT_OF_ROWS("64", 32, "f16.f16", "%32", "%33", "%34");
  else if constexpr (Count == 32)
    GROUP_PRODUCT_OF_ROWS("64", 32, "bf16.bf16", "%32", "%33", "%34");
  else if constexpr (half)
    GROUP_PRODUCT_OF_ROWS("128", 64, "f16.f16", "%64", "%65", "%66");
  else
    GROUP_PRODUCT_OF_ROWS("128", 64, "bf16.bf16", "%64", "%65", "%66");
}

template <typename Element, int Count>
__device__ __forceinline__ void group_product(float (&sum)[Count], const unsigned *a, unsigned long long b) {
  constexpr bool half = TensorTypes<Element>::half;
  if constexpr (Count == 32 && half)
    GROUP_PRODUCT_OF_REGISTERS("64", 32, "f16.f16", "{%32,%33,%34,%35}", "%36");
  else if constexpr (Count == 32)
    GROUP_PRODUCT_OF_REGISTERS("64", 32, "bf16.bf16", "{%32,%33,%34,%35}", "%36");
  else if constexpr (half)
    GROUP_PRODUCT_OF_REGISTERS("128", 64, "f16.f16", "{%64,%65,%66,%67}", "%68");
  else
    GROUP_PRODUCT_OF_REGISTERS("128", 64, "bf16.bf16", "{%64,%65,%66,%67}", "%68");
}

#endif
