// cuda::barrier and cuda::pipeline_shared_state as __shared__ variables, as CUDA's manual has them: nvcc runs neither their
// constructors nor their destructors, clang alone refuses them.
// REQUIRES: cuda-toolkit, llvm-at-least-19
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

enum { Threads = 64 };

template <typename T> __global__ void neighbours(const T *in, T *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barriers[2], last;
  __shared__ T values[Threads];
  const int t = threadIdx.x;
  if (t < 2)
    init(&barriers[t], Threads);
  if (t == 2)
    init(&last, Threads);
  __syncthreads();
  values[t] = in[t];
  barriers[0].arrive_and_wait();
  const T next = values[(t + 1) % Threads];
  barriers[1].arrive_and_wait();
  values[t] = next;
  last.arrive_and_wait();
  out[t] = values[(t + 1) % Threads];
}

__global__ void staged(const int *in, int *out) {
  __shared__ int values[Threads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, values, in, cuda::aligned_size_t<16>(sizeof values), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  out[threadIdx.x] = values[Threads - 1 - threadIdx.x];
  pipe.consumer_release();
}

int main() {
  Values<int, Threads> in, twoOn, reversed;
  for (int i = 0; i < Threads; i++)
    in.host[i] = i * 7 % 61;
  in.write();
  neighbours<<<1, Threads>>>(in.device, twoOn.device);
  staged<<<1, Threads>>>(in.device, reversed.device);
  twoOn.read(), reversed.read();
  for (int i = 0; i < Threads; i++) {
    if (twoOn.host[i] != in.host[(i + 2) % Threads])
      return printf("two on: %d is %d\n", i, twoOn.host[i]), 1;
    if (reversed.host[i] != in.host[Threads - 1 - i])
      return printf("reversed: %d is %d\n", i, reversed.host[i]), 1;
  }
  puts("all right");
}
