// cuda::barrier and cuda::pipeline, with memcpy_async of a block's threads.
// REQUIRES: cuda-toolkit, llvm-at-least-19
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cuda/barrier>
#include <cuda/pipeline>

enum { Threads = 64, Rounds = 3 };
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// Each round: neighbours' values, by a barrier of the block, arrived at and waited for apart.
__global__ void rounds(const int *in, int *out) {
  alignas(Barrier) __shared__ char memory[sizeof(Barrier)]; // clang initialises no shared variables
  Barrier &barrier = *reinterpret_cast<Barrier *>(memory);
  __shared__ int values[Threads], copy[Threads];
  const int t = threadIdx.x;
  if (t == 0)
    init(&barrier, Threads);
  __syncthreads();
  cuda::memcpy_async(copy + t, in + t, cuda::aligned_size_t<4>(4), barrier);
  barrier.arrive_and_wait();
  int value = copy[t];
  for (int r = 0; r < Rounds; r++) {
    values[t] = value;
    Barrier::arrival_token token = barrier.arrive();
    barrier.wait(static_cast<Barrier::arrival_token &&>(token));
    value += values[(t + 1) % Threads];
    barrier.arrive_and_wait();
  }
  out[t] = value;
}

// Two stages of a thread's own pipeline.
__global__ void stages(const int *in, int *out) {
  __shared__ int buffer[2][Threads];
  const int t = threadIdx.x;
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&buffer[0][t], in + t, cuda::aligned_size_t<4>(4), pipe);
  pipe.producer_commit();
  int sum = 0;
  for (int r = 1; r <= Rounds; r++) {
    if (r < Rounds) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buffer[r % 2][t], in + r * Threads + t, cuda::aligned_size_t<4>(4), pipe);
      pipe.producer_commit();
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    } else {
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    }
    sum += r * buffer[(r - 1) % 2][t];
    pipe.consumer_release();
  }
  out[t] = sum;
}

int main() {
  Values<int, Rounds * Threads> in;
  Values<int, Threads> out, sums;
  for (int i = 0; i < Rounds * Threads; i++)
    in.host[i] = i * 3 % 101;
  in.write();
  rounds<<<1, Threads>>>(in.device, out.device);
  stages<<<1, Threads>>>(in.device, sums.device);
  out.read(), sums.read();
  int expected[Threads], next[Threads];
  for (int i = 0; i < Threads; i++)
    expected[i] = in.host[i];
  for (int r = 0; r < Rounds; r++) {
    for (int i = 0; i < Threads; i++)
      next[i] = expected[i] + expected[(i + 1) % Threads];
    memcpy(expected, next, sizeof next);
  }
  for (int i = 0; i < Threads; i++) {
    EXPECT(out.host[i] == expected[i]);
    EXPECT(sums.host[i] == in.host[i] + 2 * in.host[Threads + i] + 3 * in.host[2 * Threads + i]);
  }
  return finish();
}
