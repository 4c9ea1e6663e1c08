// Micro-kernels: one per kind of instruction, each launched once. Every
// kernel has the same parameters, so a table can launch them all:
//   out    N elements of 16 bytes
//   in     2·N elements of 16 bytes, all of them ordinary numbers between 1 and 2 in the kernel's type
// n      working threads (N, or fewer for partial warps); opaque to the compiler
#ifndef GPUPROF_ACCURACY_MICRO_H
#define GPUPROF_ACCURACY_MICRO_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// How often an operation is repeated, each time on the result before.
constexpr int Repeats = 4;

// The input's elements.
enum class Fill { Float, Double, Half, BFloat, Integer };

struct Micro {
  const char *Name;
  void (*Kernel)(void *out, const void *in, int n);
  Fill Input;
  int Blocks, Threads;
};

// The number of the thread in the grid.
static __device__ __forceinline__ int self() { return blockIdx.x * blockDim.x + threadIdx.x; }

// x = in[i], y = in[i + n], then BODY Repeats times, then out[i] = x.
#define MICRO_CHAIN(name, type, body)                                                                        \
  __global__ void name(void *out, const void *in, int n) {                                                   \
    const int i = self();                                                                                    \
    type x = static_cast<const type *>(in)[i], y = static_cast<const type *>(in)[i + n];                     \
    _Pragma("unroll") for (int k = 0; k < Repeats; ++k) { body; }                                            \
    static_cast<type *>(out)[i] = x;                                                                         \
  }

#endif
