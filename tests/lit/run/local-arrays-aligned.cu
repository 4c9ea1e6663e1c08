// A thread's own arrays are aligned as declared, also if kept from one barrier to the next:
// to the 16 bytes of a read of two doubles, and beyond the largest divisor of their size.
// RUN: %clangxx -fplugin=%plugin %cudaflags -fplugin-arg-gpuprof-device=cpu --cuda-host-only -O2 %s -o %t %link
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json GPUPROF_SCHEDULE=strict %t | %FileCheck %s
// CHECK: all right
#include <cstdio>
#include <cuda_runtime.h>

enum { THREADS = 64, PAIRS = 8, BYTES = 20 };

__global__ void pairs(const double2 *in, double2 *out, const int *order) {
  __shared__ double shared[THREADS];
  double2 own[PAIRS];
  for (int i = 0; i < PAIRS; ++i)
    own[i] = in[threadIdx.x * PAIRS + i];
  shared[threadIdx.x] = own[order[0]].x;
  __syncthreads();
  own[order[1]].y = shared[THREADS - 1 - threadIdx.x];
  for (int i = 0; i < PAIRS; ++i)
    out[threadIdx.x * PAIRS + i] = own[order[i]];
}

__global__ void bytes(unsigned long long *bad, int *sums, const int *order) {
  __shared__ int shared[THREADS];
  alignas(64) char own[BYTES];
  for (int i = 0; i < BYTES; ++i)
    own[i] = static_cast<char>(threadIdx.x + i);
  shared[threadIdx.x] = own[order[0]];
  __syncthreads();
  own[order[1]] = static_cast<char>(shared[THREADS - 1 - threadIdx.x]);
  int sum = 0;
  for (int i = 0; i < PAIRS; ++i)
    sum += own[order[i]];
  sums[threadIdx.x] = sum;
  bad[threadIdx.x] = reinterpret_cast<unsigned long long>(own) % 64;
}

int main() {
  double2 *in, *out;
  int *order, *sums;
  unsigned long long *bad;
  cudaMallocManaged(&in, THREADS * PAIRS * sizeof *in);
  cudaMallocManaged(&out, THREADS * PAIRS * sizeof *out);
  cudaMallocManaged(&order, PAIRS * sizeof *order);
  cudaMallocManaged(&sums, THREADS * sizeof *sums);
  cudaMallocManaged(&bad, THREADS * sizeof *bad);
  for (int i = 0; i < THREADS * PAIRS; ++i)
    in[i] = make_double2(i, -i);
  for (int i = 0; i < PAIRS; ++i)
    order[i] = PAIRS - 1 - i;
  pairs<<<1, THREADS>>>(in, out, order);
  bytes<<<1, THREADS>>>(bad, sums, order);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return printf("%s\n", cudaGetErrorString(cudaGetLastError())), 1;
  for (int t = 0; t < THREADS; ++t) {
    const int other = THREADS - 1 - t;
    int sum = other + PAIRS - 1 - (t + PAIRS - 2); // the other thread's byte, for its own
    for (int i = 0; i < PAIRS; ++i) {
      const int own = PAIRS - 1 - i;
      const double y = own == PAIRS - 2 ? other * PAIRS + PAIRS - 1 : -(t * PAIRS + own);
      if (out[t * PAIRS + i].x != t * PAIRS + own || out[t * PAIRS + i].y != y)
        return printf("thread %d: pair %d is %g, %g\n", t, i, out[t * PAIRS + i].x, out[t * PAIRS + i].y), 1;
      sum += t + own;
    }
    if (sums[t] != sum || bad[t])
      return printf("thread %d: sum %d, not %d; %llu bytes behind its alignment\n", t, sums[t], sum, bad[t]), 1;
  }
  puts("all right");
}
