// Warp operations with partial masks, with the active mask, and with masks from a vote,
// in kernels run as loops over their threads: results and counts equal those on fibers.
// REQUIRES: llvm-at-least-17
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=split -Rpass-missed=gpuprof %minicuda -I%S/Inputs -O2 %s -o %t.split %link 2> %t.remarks
// RUN: %FileCheck --allow-empty --check-prefix=REMARKS --input-file=%t.remarks %s
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=fibers %minicuda -I%S/Inputs -O2 %s -o %t.fibers %link
// RUN: env GPUPROF_OUTPUT=%t.split.json %t.split > %t.split.out
// RUN: env GPUPROF_OUTPUT=%t.fibers.json %t.fibers > %t.fibers.out
// RUN: diff %t.split.out %t.fibers.out
// RUN: %FileCheck %s < %t.split.out
// RUN: %py %S/Inputs/same_counts.py %t.split.json %t.fibers.json 4
// CHECK: all right
// REMARKS-NOT: stack
#include "lanes.h"

enum { N = 90 };

// Tiles of 8 lanes, the last of them not whole.
__global__ void tiles(const int *in, int *out) {
  int t = threadIdx.x, lane = t % 32, v = in[t];
  unsigned mask = 0xffu << (lane & ~7);
  for (int offset = 4; offset > 0; offset /= 2)
    v += __shfl_down_sync(mask, v, offset, 8);
  v += 3 * __shfl_sync(mask, v, 0, 8) + 5 * __shfl_xor_sync(mask, v, 1) + 7 * __shfl_up_sync(mask, v, 2, 4);
  v += __popc(__ballot_sync(mask, v & 1)) + 100 * __any_sync(mask, v > 40) + 200 * __all_sync(mask, v > 40);
  __syncwarp(mask);
  out[t] = v;
}

// Masks chosen by a vote, and the arriving lanes.
__global__ void chosen(const int *in, int *out) {
  int t = threadIdx.x, v = in[t];
  bool odd = v % 3 == 1;
  unsigned mask = __ballot_sync(~0u, odd);
  if (odd) {
    int first = __ffs(mask) - 1;
    v = 10 * __shfl_sync(mask, v, first) + __popc(__activemask());
    v += __shfl_sync(__activemask(), t, first);
  }
  __syncthreads();
  out[t] = v;
}

__global__ void matches(const int *in, int *out) {
  int t = threadIdx.x, all = 0;
  unsigned half = 0xffffu << (t & 16);
  out[t] = __match_any_sync(half, in[t] % 4) + 3 * __match_all_sync(half, in[t] / 1000, &all);
  out[t] += 1000 * all + __match_any_sync(~0u, (long long)in[t] << 33) % 1000;
}

__global__ void sums(const int *in, int *out) {
  int t = threadIdx.x;
  unsigned quarter = 0xffu << (t & 24);
  out[t] = __reduce_add_sync(quarter, in[t]) + __reduce_max_sync(quarter, in[t]) + __reduce_xor_sync(~0u, in[t]);
}

int main() {
  Values<int, N> in, out[4];
  for (int i = 0; i < N; i++)
    in.host[i] = i * 7919 % 61;
  in.write();
  void (*kernels[])(const int *, int *) = {tiles, chosen, matches, sums};
  for (int k = 0; k < 4; k++) {
    kernels[k]<<<1, N>>>(in.device, out[k].device);
    out[k].read();
    for (int i = 0; i < N; i++)
      printf("%d %d %d\n", k, i, out[k].host[i]);
    EXPECT(out[k].host[N - 1] != 0);
  }
  return finish();
}
