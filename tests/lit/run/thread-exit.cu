// exit in inline PTX ends a thread, also within a function that was not inlined; barriers do not wait for it.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__device__ __noinline__ void leave(int odd) {
  if (odd)
    asm volatile("exit;");
}

__global__ void half(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  leave(threadIdx.x % 2);
  __syncthreads();
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %0, 99; @p exit; }" ::"r"(threadIdx.x));
  out[blockIdx.x * blockDim.x + threadIdx.x] = 2;
}

int main() {
  enum { Blocks = 3, Threads = 128 };
  Values<int, Blocks * Threads> out;
  half<<<Blocks, Threads>>>(out.device);
  out.read();
  for (int i = 0; i < Blocks * Threads; i++)
    EXPECT(out.host[i] == (i % 2 || i % Threads > 99 ? 1 : 2));
  return finish();
}
