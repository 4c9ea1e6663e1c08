// Asynchronous operations on memory: copies in bulk that add to, or bound, what is there, and reductions and stores that tell an
// mbarrier when they are done.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

enum { N = 64 };

__global__ void run(int *sums, float *least, int *out) {
  __shared__ alignas(16) int mine[N];
  __shared__ alignas(16) float low[N];
  __shared__ alignas(16) int cells[4];
  __shared__ unsigned long long barrier;
  const int i = threadIdx.x;
  mine[i] = i + blockIdx.x;
  low[i] = i - 32.0f;
  if (i < 4)
    cells[i] = 0;
  unsigned from, from_low, cell, mbar;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(from) : "l"(mine));
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(from_low) : "l"(low));
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(cell) : "l"(cells));
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(mbar) : "l"(&barrier));
  if (i == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n fence.proxy.async.shared::cta;" ::"r"(mbar) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (i == 0) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(sums), "r"(from),
                 "r"(N * 4)
                 : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u32 [%0], [%1], %2;" ::"l"(least),
                 "r"(from_low), "r"(N * 4)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(mbar), "r"(2 * 4 + 8) : "memory");
    for (int n = 0; n < 2; n++)
      asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(
                       cell),
                   "r"(20 + n), "r"(mbar)
                   : "memory");
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %2}, [%3];" ::"r"(cell + 8),
                 "r"(7), "r"(8), "r"(mbar)
                 : "memory");
  }
  asm volatile("{ .reg .pred done;\n"
               "WAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
               "  @done bra ON;\n"
               "  bra WAIT;\n"
               "ON: }" ::"r"(mbar)
               : "memory");
  if (i < 4)
    out[i] = cells[i];
}

int main() {
  Values<int, N> sums;
  Values<float, N> least;
  Values<int, 4> out;
  for (int i = 0; i < N; i++)
    sums.host[i] = 1000, least.host[i] = 5.0f;
  sums.write(), least.write();
  run<<<3, N>>>(sums.device, least.device, out.device);
  sums.read(), least.read(), out.read();
  for (int i = 0; i < N; i++) {
    EXPECT(sums.host[i] == 1000 + 3 * i + 3);
    // As unsigned integers: what is below zero is more than what is not.
    const float low = i - 32.0f;
    EXPECT(least.host[i] == (low < 0 || low > 5 ? 5.0f : low));
  }
  EXPECT(out.host[0] == 41 && out.host[2] == 7 && out.host[3] == 8);
  return finish();
}
