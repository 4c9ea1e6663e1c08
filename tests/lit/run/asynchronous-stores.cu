// red.async and st.async, in a cluster of one block: their changes are visible behind the signalled mbarrier.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

static __device__ unsigned shared_address(const void *p) {
  unsigned address;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(address) : "l"(p));
  return address;
}

__global__ void run(int *out) {
  alignas(16) __shared__ int cells[4];
  __shared__ unsigned long long barrier;
  const int i = threadIdx.x;
  const unsigned cell = shared_address(cells), bar = shared_address(&barrier);
  if (i < 4)
    cells[i] = 0;
  if (i == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n fence.mbarrier_init.release.cluster;" ::"r"(bar) : "memory");
  __syncthreads();
  if (i == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(2 * 4 + 8) : "memory");
    for (int n = 0; n < 2; n++)
      asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(
                       cell),
                   "r"(20 + n), "r"(bar)
                   : "memory");
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %2}, [%3];" ::"r"(cell + 8),
                 "r"(7), "r"(8), "r"(bar)
                 : "memory");
  }
  asm volatile("{ .reg .pred done;\n"
               "WAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
               "  @done bra ON;\n"
               "  bra WAIT;\n"
               "ON: }" ::"r"(bar)
               : "memory");
  if (i < 4)
    out[i] = cells[i];
}

int main() {
  Values<int, 4> out;
  run<<<2, 64>>>(out.device);
  out.read();
  EXPECT(out.host[0] == 41 && out.host[1] == 0 && out.host[2] == 7 && out.host[3] == 8);
  return finish();
}
