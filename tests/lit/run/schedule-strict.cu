// GPUPROF_SCHEDULE=strict runs the last thread and the last block first. It shows code relying on the usual order:
// a missing barrier, a missing __syncwarp(), and a block relying on earlier ones. Correct code stays right.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck --check-prefix=FAIR %s
// RUN: env GPUPROF_OUTPUT=%t.json GPUPROF_SCHEDULE=fair %t | %FileCheck --check-prefix=FAIR %s
// RUN: env GPUPROF_OUTPUT=%t.json GPUPROF_SCHEDULE=strict %t | %FileCheck --check-prefix=STRICT %s
// RUN: env GPUPROF_OUTPUT=%t.json GPUPROF_SCHEDULE=odd %t 2>&1 >%t.out | grep "GPUPROF_SCHEDULE: the value 'odd' is ignored: it must be fair or strict"
// FAIR: barrier 64 of 64, warp 64 of 64, blocks 64 of 64, neighbours 64 of 64, right 64 of 64
// STRICT: barrier 1 of 64, warp 4 of 64, blocks 1 of 64, neighbours 1 of 64, right 64 of 64
#include "run.h"

enum { N = 64 };

// Each thread needs the value written by the one before it.
__global__ void barrier(const int *in, int *ok) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = in[t];
  ok[t] = t == 0 || s[t - 1] == in[t - 1]; // no __syncthreads()
  __syncthreads();
}

__global__ void warp(const int *in, int *ok) {
  __shared__ int s[N];
  int t = threadIdx.x;
  int sum = __shfl_sync(~0u, in[t], 0); // the last lane to come goes on first: never in lockstep
  s[t] = in[t] + sum;
  ok[t] = t % 32 == 0 || s[t - 1] == in[t - 1] + sum; // no __syncwarp()
}

__global__ void blocks(const int *in, int *made, int *ok) {
  int b = blockIdx.x;
  made[b] = in[b];
  ok[b] = b == 0 || made[b - 1] == in[b - 1];
}

// No barrier anywhere: a loop over threads in the usual schedule.
__global__ void neighbours(const int *in, int *made, int *ok) {
  int t = threadIdx.x;
  made[t] = in[t];
  ok[t] = t == 0 || made[t - 1] == in[t - 1];
}

__global__ void right(const int *in, int *ok) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  ok[t] = t == 0 || s[t - 1] == in[t - 1];
}

int main() {
  int in[N], none[N] = {}, ok[N];
  for (int i = 0; i < N; i++)
    in[i] = 1000 + i;
  int *device_in = to_device(in, N), *made = to_device(none, N), *device_ok = to_device(none, N);
  auto good = [&] {
    OK(cudaDeviceSynchronize());
    to_host(ok, device_ok, N);
    OK(cudaMemset(made, 0, sizeof none));
    int sum = 0;
    for (int x : ok)
      sum += x;
    return sum;
  };
  barrier<<<1, N>>>(device_in, device_ok);
  std::printf("barrier %d of 64, ", good());
  warp<<<1, N>>>(device_in, device_ok);
  std::printf("warp %d of 64, ", good());
  blocks<<<N, 1>>>(device_in, made, device_ok);
  std::printf("blocks %d of 64, ", good());
  neighbours<<<1, N>>>(device_in, made, device_ok);
  std::printf("neighbours %d of 64, ", good());
  right<<<1, N>>>(device_in, device_ok);
  std::printf("right %d of 64\n", good());
  return 0;
}
