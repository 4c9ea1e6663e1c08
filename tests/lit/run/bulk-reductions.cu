// cp.reduce.async.bulk: bulk copies from shared memory adding to values in global memory, or bounding them.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

enum { N = 64 };

static __device__ unsigned shared_address(const void *p) {
  unsigned address;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(address) : "l"(p));
  return address;
}

__global__ void run(int *sums, unsigned *least) {
  alignas(16) __shared__ int mine[N];
  alignas(16) __shared__ float low[N];
  const int i = threadIdx.x;
  mine[i] = i + blockIdx.x;
  low[i] = i - 32.0f;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (i == 0) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(sums),
                 "r"(shared_address(mine)), "r"(N * 4)
                 : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u32 [%0], [%1], %2;" ::"l"(least),
                 "r"(shared_address(low)), "r"(N * 4)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

int main() {
  Values<int, N> sums;
  Values<unsigned, N> least;
  const unsigned five = __builtin_bit_cast(unsigned, 5.0f);
  for (int i = 0; i < N; i++)
    sums.host[i] = 1000, least.host[i] = five;
  sums.write(), least.write();
  run<<<3, N>>>(sums.device, least.device);
  sums.read(), least.read();
  for (int i = 0; i < N; i++) {
    const unsigned low = __builtin_bit_cast(unsigned, i - 32.0f); // below zero it is more than five's
    EXPECT(sums.host[i] == 1000 + 3 * i + 3);
    EXPECT(least.host[i] == (low < five ? low : five));
  }
  return finish();
}
