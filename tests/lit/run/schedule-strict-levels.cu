// GPUPROF_SCHEDULE=strict shows a missing barrier at every level of optimisation, also between lanes
// otherwise kept in step by an exchange: each block misses some of its values. Correct waits stay right. Code of LLVM 16
// to 18 misses some in the fair schedule, too.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O0 %s -o %t.0 %link
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t.1 %link
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t.2 %link
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O3 %s -o %t.3 %link
// RUN: for level in 0 1 2 3; do env GPUPROF_OUTPUT=%t.json GPUPROF_SCHEDULE=strict %t.$level || exit 1; done | %FileCheck %s
// RUN: %if llvm-at-least-19 %{ for level in 1 2 3; do env GPUPROF_OUTPUT=%t.json GPUPROF_SCHEDULE=fair %t.$level || exit 1; done | %FileCheck --check-prefix=FAIR %s %}
// CHECK-COUNT-4: shared 4 blocks wrong, volatile 4 blocks wrong, global 4 blocks wrong, right 0 blocks wrong
// FAIR-COUNT-3: shared 0 blocks wrong, volatile 0 blocks wrong, {{.*}}, right 0 blocks wrong
#include "run.h"

enum { N = 64, BLOCKS = 4 };

__global__ void shared(int *x) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = t;
  x[blockIdx.x * N + t] = s[(t + 1) % N]; // no __syncthreads()
}

// As programs of the time before Volta were written.
__global__ void in_volatile(int *x) {
  __shared__ volatile int s[N];
  int t = threadIdx.x;
  s[t] = t;
  x[blockIdx.x * N + t] = s[t ^ 1]; // no __syncwarp()
}

__global__ void global(int *made, int *x) {
  int t = threadIdx.x, first = blockIdx.x * N;
  made[first + t] = t;
  x[first + t] = made[first + (t + 1) % N];
}

__global__ void right(int *x) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  x[blockIdx.x * N + t] = s[(t + 1) % N];
}

static int wrong(const int *x, bool neighbours) {
  int blocks = 0;
  for (int b = 0; b < BLOCKS; b++) {
    bool good = true;
    for (int t = 0; t < N; t++)
      good &= x[b * N + t] == (neighbours ? (t + 1) % N : t ^ 1);
    blocks += !good;
  }
  return blocks;
}

int main() {
  static int x[N * BLOCKS], none[N * BLOCKS];
  for (int &n : none)
    n = -1;
  int *device_x = to_device(none, N * BLOCKS), *made = to_device(none, N * BLOCKS);
  auto blocks = [&](bool neighbours) {
    OK(cudaDeviceSynchronize());
    to_host(x, device_x, N * BLOCKS);
    return wrong(x, neighbours);
  };
  shared<<<BLOCKS, N>>>(device_x);
  std::printf("shared %d blocks wrong, ", blocks(true));
  in_volatile<<<BLOCKS, N>>>(device_x);
  std::printf("volatile %d blocks wrong, ", blocks(false));
  global<<<BLOCKS, N>>>(made, device_x);
  std::printf("global %d blocks wrong, ", blocks(true));
  right<<<BLOCKS, N>>>(device_x);
  std::printf("right %d blocks wrong\n", blocks(true));
  return 0;
}
