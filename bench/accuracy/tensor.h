// Matrix products by mma.sync, wmma and wgmma: the common work of the threads of a warp (or of four).
#include "micro.h"

#include <mma.h>

#define TENSOR_KERNEL(name) __global__ void name(void *out, const void *in, int n)

// d[0…3] += a · b by one mma.sync with A and B of so many 32-bit registers, and four accumulators of type T.
// A differs from product to product, or ptxas would compute equal ones once.
#define MMA_KERNEL(name, T, constraint, what, a_count, b_count, ...)                                         \
  TENSOR_KERNEL(name) {                                                                                      \
    const unsigned *from = static_cast<const unsigned *>(in) + self();                                       \
    unsigned a[4], b[2];                                                                                     \
    for (int k = 0; k < 4; ++k)                                                                              \
      a[k] = k < a_count ? from[k * n] : 0;                                                                  \
    for (int k = 0; k < 2; ++k)                                                                              \
      b[k] = k < b_count ? from[(k + 4) * n] : 0;                                                            \
    T d[4] = {};                                                                                             \
    _Pragma("unroll") for (int k = 0; k < Repeats; ++k) asm volatile(                                        \
        "mma.sync.aligned." what " {%0,%1,%2,%3}, " __VA_ARGS__ ", {%0,%1,%2,%3};" : "+" constraint(d[0]),   \
        "+" constraint(d[1]), "+" constraint(d[2]), "+" constraint(d[3]) : "r"(a[0] ^ k), "r"(a[1]),         \
        "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                                                         \
    static_cast<T *>(out)[self()] = d[0] + d[1] + d[2] + d[3];                                               \
  }
MMA_KERNEL(mma_bf16, float, "f", "m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, "{%4,%5,%6,%7}, {%8,%9}")
MMA_KERNEL(mma_fp16, float, "f", "m16n8k16.row.col.f32.f16.f16.f32", 4, 2, "{%4,%5,%6,%7}, {%8,%9}")
MMA_KERNEL(mma_fp16_small, float, "f", "m16n8k8.row.col.f32.f16.f16.f32", 2, 1, "{%4,%5}, {%8}")
MMA_KERNEL(mma_tf32, float, "f", "m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, "{%4,%5,%6,%7}, {%8,%9}")
MMA_KERNEL(mma_tf32_small, float, "f", "m16n8k4.row.col.f32.tf32.tf32.f32", 2, 1, "{%4,%5}, {%8}")
MMA_KERNEL(mma_int8, int, "r", "m16n8k32.row.col.s32.s8.s8.s32", 4, 2, "{%4,%5,%6,%7}, {%8,%9}")
MMA_KERNEL(mma_fp8, float, "f", "m16n8k32.row.col.f32.e4m3.e4m3.f32", 4, 2, "{%4,%5,%6,%7}, {%8,%9}")

// Accumulators of fp16 lie two in a register.
TENSOR_KERNEL(mma_fp16_accumulate) {
  const unsigned *from = static_cast<const unsigned *>(in) + self();
  unsigned a[4] = {from[0], from[n], from[2 * n], from[3 * n]}, b[2] = {from[4 * n], from[5 * n]}, d[2] = {};
#pragma unroll
  for (int k = 0; k < Repeats; ++k)
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(a[0] ^ k), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  static_cast<unsigned *>(out)[self()] = d[0] ^ d[1];
}

TENSOR_KERNEL(mma_fp64) {
  const double *from = static_cast<const double *>(in) + self();
  const double a = from[0], b = from[n];
  double d[2] = {};
#pragma unroll
  for (int k = 0; k < Repeats; ++k)
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"(a), "d"(b));
  static_cast<double *>(out)[self()] = d[0] + d[1];
}

// One 16×16×16 product a warp, loaded from and stored to global memory by wmma.
template <typename Input> static __device__ __forceinline__ void multiplyTiles(void *out, const void *in) {
  using namespace nvcuda::wmma;
  const int warp = self() / 32;
  const Input *tiles = static_cast<const Input *>(in) + 512 * (warp % 64);
  fragment<matrix_a, 16, 16, 16, Input, row_major> a;
  fragment<matrix_b, 16, 16, 16, Input, col_major> b;
  fragment<accumulator, 16, 16, 16, float> d;
  fill_fragment(d, 0.0f);
  load_matrix_sync(a, tiles, 16);
  load_matrix_sync(b, tiles + 256, 16);
  mma_sync(d, a, b, d);
  store_matrix_sync(static_cast<float *>(out) + 256 * (warp % 64), d, 16, mem_row_major);
}
TENSOR_KERNEL(wmma_fp16) { multiplyTiles<__half>(out, in); }
TENSOR_KERNEL(wmma_bf16) { multiplyTiles<__nv_bfloat16>(out, in); }

// Matrices from and to shared memory, row by row.
TENSOR_KERNEL(matrix_load) {
  __shared__ __align__(16) unsigned tile[1024];
  tile[threadIdx.x] = static_cast<const unsigned *>(in)[self()];
  __syncthreads();
  const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(&tile[4 * (threadIdx.x & 31)]));
  unsigned r[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(from));
  static_cast<unsigned *>(out)[self()] = r[0] ^ r[1] ^ r[2] ^ r[3];
}
TENSOR_KERNEL(matrix_store) {
  __shared__ __align__(16) unsigned tile[1024];
  const unsigned to = static_cast<unsigned>(
      __cvta_generic_to_shared(&tile[4 * (threadIdx.x & 31) + 128 * (threadIdx.x / 32)]));
  const unsigned x = static_cast<const unsigned *>(in)[self()];
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%1,%1,%1};" ::"r"(to), "r"(x) : "memory");
  __syncthreads();
  static_cast<unsigned *>(out)[self()] = tile[threadIdx.x];
}

#ifdef GPUPROF_ACCURACY_WGMMA
// Four warps multiply 64×16 by 16×8 from shared memory, whatever lies there.
TENSOR_KERNEL(wgmma_bf16) {
  __shared__ __align__(1024) unsigned tile[1024];
  tile[threadIdx.x] = static_cast<const unsigned *>(in)[self()];
  __syncthreads();
  const unsigned long long address = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  // Start, leading and stride offsets in units of 16 bytes; no swizzle.
  const unsigned long long shape = (address & 0x3ffff) >> 4 | 8ull << 16 | 16ull << 32;
  float d[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
  for (int k = 0; k < Repeats; ++k)
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(shape + k), "l"(shape));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  static_cast<float *>(out)[self()] = d[0] + d[1] + d[2] + d[3];
}
#define WGMMA_KERNELS(F) F(wgmma_bf16, BFloat, 64, 128)
#else
#define WGMMA_KERNELS(F)
#endif

#define TENSOR_KERNELS(F)                                                                                    \
  F(mma_bf16, BFloat, 64, 256)                                                                               \
  F(mma_fp16, Half, 64, 256)                                                                                 \
  F(mma_fp16_small, Half, 64, 256)                                                                           \
  F(mma_fp16_accumulate, Half, 64, 256)                                                                      \
  F(mma_tf32, Float, 64, 256)                                                                                \
  F(mma_tf32_small, Float, 64, 256)                                                                          \
  F(mma_fp64, Double, 64, 256)                                                                               \
  F(mma_fp8, Half, 64, 256)                                                                                  \
  F(mma_int8, Integer, 64, 256)                                                                              \
  F(wmma_fp16, Half, 64, 32)                                                                                 \
  F(wmma_bf16, BFloat, 64, 32)                                                                               \
  F(matrix_load, Integer, 64, 256)                                                                           \
  F(matrix_store, Integer, 64, 256)                                                                          \
  WGMMA_KERNELS(F)
