// Control flow: executed instructions are counted, lane by lane.
#include "micro.h"

#define CONTROL_KERNEL(name) __global__ void name(void *out, const void *in, int n)

// Lane l makes l + 1 rounds.
CONTROL_KERNEL(divergent_loop) {
  float x = static_cast<const float *>(in)[self()];
#pragma unroll 1
  for (int k = 0; k <= (threadIdx.x & 31); ++k)
    x = fmaf(x, 0.5f, 1.0f);
  static_cast<float *>(out)[self()] = x;
}
// Only lanes whose number is odd, or even, take a branch.
CONTROL_KERNEL(divergent_branch) {
  float x = static_cast<const float *>(in)[self()];
  if (threadIdx.x & 1) {
    x = x * 3.0f;
    __syncwarp(0xaaaaaaaa);
    x = x + 1.0f;
  } else {
    x = sqrtf(x);
  }
  static_cast<float *>(out)[self()] = x;
}
// Short enough to be predicated.
CONTROL_KERNEL(predicated) {
  float x = static_cast<const float *>(in)[self()];
  if (x > 1.5f)
    x = x + static_cast<const float *>(in)[self() + n];
  static_cast<float *>(out)[self()] = x;
}
// Threads beyond n leave at once.
CONTROL_KERNEL(early_return) {
  if (self() >= n)
    return;
  static_cast<float *>(out)[self()] = static_cast<const float *>(in)[self()] * 2.0f;
}
// Loops whose number of rounds is the same for all.
CONTROL_KERNEL(counted_loop) {
  float x = static_cast<const float *>(in)[self()];
#pragma unroll 1
  for (int k = 0; k < n % 97; ++k)
    x = x * 0.5f + 1.0f;
  static_cast<float *>(out)[self()] = x;
}
CONTROL_KERNEL(shuffle_sum) {
  float x = static_cast<const float *>(in)[self()];
  for (int step = 16; step; step /= 2)
    x += __shfl_xor_sync(0xffffffff, x, step);
  static_cast<float *>(out)[self()] = x;
}
static __device__ __noinline__ float callee(float x, float y) { return x * y + x; }
CONTROL_KERNEL(called_function) {
  float x = static_cast<const float *>(in)[self()];
  static_cast<float *>(out)[self()] = callee(callee(x, 2.0f), x);
}

#define CONTROL_KERNELS(F)                                                                                   \
  F(divergent_loop, 64, 256)                                                                                 \
  F(divergent_branch, 64, 256)                                                                               \
  F(predicated, 64, 256)                                                                                     \
  F(early_return, 65, 256)                                                                                   \
  F(counted_loop, 64, 256)                                                                                   \
  F(shuffle_sum, 64, 256)                                                                                    \
  F(called_function, 64, 256)
