// A kernel with hundreds of warp operations, once its loops are unrolled, keeps a stack a thread, since loops for all of them
// would compile for minutes; one with some dozens is loops. Both are right.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -Rpass-missed=gpuprof -O2 %s -o %t %link 2>%t.log
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %FileCheck --check-prefix=REMARK --implicit-check-not=remark: %s < %t.log
// CHECK: all right
// REMARK: remark: threads of kernel void sums<100>(int*) run on a stack each: it waits at more than 256 places
#include "lanes.h"

/* Sums of N numbers of each of 32 lanes, by 5 shuffles each. */
template <int N> __global__ void sums(int *out) {
  int own[N];
#pragma unroll
  for (int i = 0; i < N; i++)
    own[i] = i * threadIdx.x;
#pragma unroll
  for (int i = 0; i < N; i++)
#pragma unroll
    for (int distance = 16; distance; distance /= 2)
      own[i] += __shfl_xor_sync(~0u, own[i], distance);
#pragma unroll
  for (int i = 0; i < N; i++)
    out[threadIdx.x * N + i] = own[i];
}

template <int N> void check() {
  Values<int, 32 * N> out;
  sums<N><<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32 * N; i++)
    EXPECT(out.host[i] == i % N * (31 * 32 / 2));
}

int main() {
  check<10>();
  check<100>();
  return finish();
}
