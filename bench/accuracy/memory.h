// Loads, stores, atomics and copies, by address space, width and pattern of addresses.
#include "micro.h"

#define MEMORY_KERNEL(name) __global__ void name(void *out, const void *in, int n)

// Copies by one access of T each way.
#define COPY_KERNEL(name, T)                                                                                 \
  MEMORY_KERNEL(name) {                                                                                      \
    const int i = self();                                                                                    \
    static_cast<T *>(out)[i] = static_cast<const T *>(in)[i];                                                \
  }
COPY_KERNEL(copy_char, char)
COPY_KERNEL(copy_short, short)
COPY_KERNEL(copy_float, float)
COPY_KERNEL(copy_float2, float2)
COPY_KERNEL(copy_float4, float4)
COPY_KERNEL(copy_double2, double2)

struct Record {
  int Fields[8];
};
// An aggregate, split into several accesses.
MEMORY_KERNEL(copy_struct) {
  const int i = self();
  static_cast<Record *>(out)[i] = static_cast<const Record *>(in)[i];
}

// All lanes of a warp read one address: provably, and as it happens.
MEMORY_KERNEL(load_uniform) {
  static_cast<float *>(out)[self()] =
      static_cast<const float *>(in)[blockIdx.x] + static_cast<const float *>(in)[n];
}
MEMORY_KERNEL(load_same_in_warp) {
  static_cast<float *>(out)[self()] = static_cast<const float *>(in)[self() / 32];
}
// Two, and sixteen, different addresses a warp.
MEMORY_KERNEL(load_same_in_half) {
  static_cast<float *>(out)[self()] = static_cast<const float *>(in)[self() / 16];
}
MEMORY_KERNEL(load_same_in_pair) {
  static_cast<float *>(out)[self()] = static_cast<const float *>(in)[self() / 2];
}
MEMORY_KERNEL(load_same_float4) {
  static_cast<float4 *>(out)[self()] = static_cast<const float4 *>(in)[self() / 16];
}
MEMORY_KERNEL(load_strided) {
  static_cast<float *>(out)[self()] = static_cast<const float *>(in)[4 * self()];
}
MEMORY_KERNEL(load_read_only) {
  static_cast<float *>(out)[self()] = __ldg(static_cast<const float *>(in) + self());
}
MEMORY_KERNEL(store_same_in_warp) {
  static_cast<float *>(out)[self() / 32] = static_cast<const float *>(in)[self()];
}

__constant__ float Table[256];
MEMORY_KERNEL(load_constant) { static_cast<float *>(out)[self()] = Table[threadIdx.x] + Table[n & 255]; }

MEMORY_KERNEL(shared_exchange) {
  __shared__ float tile[256];
  tile[threadIdx.x] = static_cast<const float *>(in)[self()];
  __syncthreads();
  static_cast<float *>(out)[self()] = tile[255 - threadIdx.x];
}
MEMORY_KERNEL(shared_vector) {
  __shared__ float4 tile[256];
  tile[threadIdx.x] = static_cast<const float4 *>(in)[self()];
  __syncthreads();
  static_cast<float4 *>(out)[self()] = tile[255 - threadIdx.x];
}
MEMORY_KERNEL(shared_uniform) {
  __shared__ float tile[256];
  tile[threadIdx.x] = static_cast<const float *>(in)[self()];
  __syncthreads();
  static_cast<float *>(out)[self()] = tile[blockIdx.x & 255] + tile[n & 255];
}
MEMORY_KERNEL(shared_same_in_half) {
  __shared__ float tile[256];
  tile[threadIdx.x] = static_cast<const float *>(in)[self()];
  __syncthreads();
  static_cast<float *>(out)[self()] = tile[threadIdx.x / 16];
}
// Loads that the code generator or ptxas makes otherwise: one instruction for three words, and for three numbers of four.
MEMORY_KERNEL(shared_three_words) {
  __shared__ float tile[256];
  tile[threadIdx.x] = static_cast<const float *>(in)[self()];
  __syncthreads();
  static_cast<float *>(out)[self()] = tile[0] + tile[1] + tile[2];
}
MEMORY_KERNEL(load_three_of_four) {
  const float4 x = static_cast<const float4 *>(in)[self()];
  static_cast<float *>(out)[self()] = x.x + x.y + x.z;
}
// Loaded again past a statement that changes no memory; and the same in each turn of a loop that stores to shared memory.
MEMORY_KERNEL(shared_loaded_again) {
  __shared__ float tile[256];
  tile[threadIdx.x] = static_cast<const float *>(in)[self()];
  __syncthreads();
  const float before = tile[255 - threadIdx.x];
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane)::"memory");
  static_cast<float *>(out)[self()] = before + tile[255 - threadIdx.x] + lane;
}
MEMORY_KERNEL(load_in_each_turn) {
  __shared__ float tile[256];
  for (int k = threadIdx.x; k < 256 + n % 3; k += 32)
    tile[k & 255] = static_cast<const float *>(in)[blockIdx.x] * k;
  __syncthreads();
  static_cast<float *>(out)[self()] = tile[255 - threadIdx.x];
}
MEMORY_KERNEL(shared_atomic) {
  __shared__ int sums[32];
  if (threadIdx.x < 32)
    sums[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&sums[threadIdx.x & 31], static_cast<const int *>(in)[self()]);
  __syncthreads();
  static_cast<int *>(out)[self()] = sums[threadIdx.x & 31];
}

MEMORY_KERNEL(local_array) {
  int stack[32];
  const int *from = static_cast<const int *>(in);
  for (int k = 0; k < 32; ++k)
    stack[(k * n) & 31] = from[self()] + k;
  static_cast<int *>(out)[self()] = stack[threadIdx.x & 31];
}

MEMORY_KERNEL(atomic_add) {
  atomicAdd(static_cast<int *>(out) + self(), static_cast<const int *>(in)[self()]);
}
MEMORY_KERNEL(atomic_add_float) {
  atomicAdd(static_cast<float *>(out) + self(), static_cast<const float *>(in)[self()]);
}
MEMORY_KERNEL(atomic_add_same) { atomicAdd(static_cast<int *>(out) + (self() & 7), 1); }
MEMORY_KERNEL(atomic_add_result) {
  int *to = static_cast<int *>(out);
  to[self() + n] = atomicAdd(to + self(), static_cast<const int *>(in)[self()]);
}
MEMORY_KERNEL(atomic_exchange) {
  int *to = static_cast<int *>(out);
  to[self() + n] = atomicCAS(to + self(), 1, static_cast<const int *>(in)[self()]);
}
MEMORY_KERNEL(atomic_add_long) {
  atomicAdd(static_cast<unsigned long long *>(out) + self(),
            static_cast<const unsigned long long *>(in)[self()]);
}

// From global to shared memory past the registers.
#define ASYNC_KERNEL(name, T, how, bytes)                                                                    \
  MEMORY_KERNEL(name) {                                                                                      \
    __shared__ T tile[256];                                                                                  \
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));                 \
    asm volatile("cp.async." how " [%0], [%1], " bytes ";" ::"r"(to),                                        \
                 "l"(__cvta_generic_to_global(static_cast<const T *>(in) + self())));                        \
    asm volatile("cp.async.wait_all;" ::: "memory");                                                         \
    __syncthreads();                                                                                         \
    static_cast<T *>(out)[self()] = tile[255 - threadIdx.x];                                                 \
  }
ASYNC_KERNEL(async_copy_4, float, "ca.shared.global", "4")
ASYNC_KERNEL(async_copy_8, float2, "ca.shared.global", "8")
ASYNC_KERNEL(async_copy_16, float4, "cg.shared.global", "16")

#define MEMORY_KERNELS(F)                                                                                    \
  F(copy_char, Integer)                                                                                      \
  F(copy_short, Integer)                                                                                     \
  F(copy_float, Float)                                                                                       \
  F(copy_float2, Float)                                                                                      \
  F(copy_float4, Float)                                                                                      \
  F(copy_double2, Double)                                                                                    \
  F(copy_struct, Integer)                                                                                    \
  F(load_uniform, Float)                                                                                     \
  F(load_same_in_warp, Float)                                                                                \
  F(load_same_in_half, Float)                                                                                \
  F(load_same_in_pair, Float)                                                                                \
  F(load_same_float4, Float)                                                                                 \
  F(load_strided, Float)                                                                                     \
  F(load_read_only, Float)                                                                                   \
  F(store_same_in_warp, Float)                                                                               \
  F(load_constant, Float)                                                                                    \
  F(shared_exchange, Float)                                                                                  \
  F(shared_vector, Float)                                                                                    \
  F(shared_uniform, Float)                                                                                   \
  F(shared_same_in_half, Float)                                                                              \
  F(shared_three_words, Float)                                                                               \
  F(load_three_of_four, Float)                                                                               \
  F(shared_loaded_again, Float)                                                                              \
  F(load_in_each_turn, Float)                                                                                \
  F(shared_atomic, Integer)                                                                                  \
  F(local_array, Integer)                                                                                    \
  F(atomic_add, Integer)                                                                                     \
  F(atomic_add_float, Float)                                                                                 \
  F(atomic_add_same, Integer)                                                                                \
  F(atomic_add_result, Integer)                                                                              \
  F(atomic_exchange, Integer)                                                                                \
  F(atomic_add_long, Integer)                                                                                \
  F(async_copy_4, Float)                                                                                     \
  F(async_copy_8, Float)                                                                                     \
  F(async_copy_16, Float)
