// Sums by a tree in shared memory, and by shuffles, a grid-stride loop and one atomic a warp.
// RUN: %program
#include "program.h"

enum { N = 10000, THREADS = 256 };

#pragma gpuprof region("reduction.tree")
__global__ void tree(const float *in, float *out, int n) {
  __shared__ float part[THREADS];
  int t = threadIdx.x, i = blockIdx.x * 2 * THREADS + t;
  float sum = 0;
  if (i < n)
    sum = in[i];
  if (i + THREADS < n)
    sum += in[i + THREADS];
  part[t] = sum;
  __syncthreads();
  for (int s = THREADS / 2; s > 0; s /= 2) {
    if (t < s)
      part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = part[0];
}

__global__ void shuffles(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
#pragma gpuprof region("reduction.warp")
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0)
    atomicAdd(out, sum);
}

int main() {
  Buffer<float> in(N), total(1);
  Random random;
  double expected = 0;
  for (float &x : in.host) { // whole numbers: every order of summation gives the same
    x = random.below(100);
    expected += x;
  }
  in.up();

  const int blocks = (N + 2 * THREADS - 1) / (2 * THREADS);
  Buffer<float> parts(blocks);
  tree<<<blocks, THREADS>>>(in.device, parts.device, N);
  tree<<<1, THREADS>>>(parts.device, total.device, blocks);
  total.down();
  EXPECT(total[0] == expected);

  total[0] = 0;
  total.up();
  shuffles<<<8, THREADS>>>(in.device, total.device, N);
  total.down();
  EXPECT(total[0] == expected);

  // The tree: a load an element, an add where a thread has two; in a block of T threads T - 1 adds of two
  // loads and a store, T stores before and one load after. In the second launch no thread has two.
  long long two = 0;
  for (int i = 0; i < N; i++)
    two += i / THREADS % 2;
  const long long all = blocks + 1;
  counts("tree", {{"flops.fp32.add", two + all * (THREADS - 1)},
                  {"bytes.global.load", 4 * (N + blocks)},
                  {"bytes.global.store", 4 * all},
                  {"bytes.shared.load", 4 * all * (2 * (THREADS - 1) + 1)},
                  {"bytes.shared.store", 4 * all * (2 * THREADS - 1)}});
  // A warp adds five times; only lane 0 uses the last sum,
  // and the compiler moves that addition to its use.
  const long long warp_adds = 8 * (4 * THREADS + THREADS / 32);
  counts("shuffles", {{"flops.fp32.add", N + warp_adds},
                      {"bytes.global.load", 4 * N},
                      {"bytes.global.atomic", 4 * 8 * THREADS / 32},
                      {"flops.fp32.accumulate", 8 * THREADS / 32}});
  counts("region:reduction.warp", {{"flops.fp32.add", warp_adds}});
  return finish();
}
