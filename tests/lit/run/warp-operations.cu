// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

__global__ void operations(int *sums, unsigned *ballots, double *wide, long long *scan) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int v = t;
  for (int offset = 16; offset; offset /= 2)
    v += __shfl_xor_sync(~0u, v, offset);
  sums[t] = v;
  ballots[t] = __ballot_sync(~0u, t % 3 == 0);
  wide[t] = __shfl_down_sync(~0u, 0.5 * t, 1, 8);
  long long prefix = t;
  for (int offset = 1; offset < 32; offset *= 2) {
    long long other = __shfl_up_sync(~0u, prefix, offset);
    if (lane >= offset)
      prefix += other;
  }
  scan[t] = prefix;
  if (!__all_sync(~0u, t >= 0) || __any_sync(~0u, t < 0) || __popc(__match_any_sync(~0u, t / 4)) != 4)
    sums[t] = -1;
#if __clang_major__ > 16 // whose headers do not have it
  if (__reduce_add_sync(~0u, 1u) != 32)
    sums[t] = -1;
#endif
}

int main() {
  enum { N = 192 };
  static int sums[N];
  static unsigned ballots[N];
  static double wide[N];
  static long long scan[N];
  int *a = to_device(sums, N);
  unsigned *b = to_device(ballots, N);
  double *c = to_device(wide, N);
  long long *d = to_device(scan, N);
  operations<<<2, 96>>>(a, b, c, d);
  OK(cudaDeviceSynchronize());
  to_host(sums, a, N);
  to_host(ballots, b, N);
  to_host(wide, c, N);
  to_host(scan, d, N);
  for (int t = 0; t < N; t++) {
    int first = t / 32 * 32, sum = 0;
    unsigned ballot = 0;
    long long prefix = 0;
    for (int i = first; i < first + 32; i++) {
      sum += i;
      ballot |= (i % 3 == 0) << (i - first);
      if (i <= t)
        prefix += i;
    }
    EXPECT(sums[t] == sum);
    EXPECT(ballots[t] == ballot);
    EXPECT(scan[t] == prefix);
    EXPECT(wide[t] == 0.5 * (t % 8 == 7 ? t : t + 1));
  }
  return finish();
}
