// Blocks of a cluster hand values round a ring: each stores into the next one's shared memory and
// signals its mbarrier. First by stores and remote arrivals, then by st.async, which does both.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "clusters.h"

enum { Size = 8, Threads = 64, Blocks = 2 * Size, Rounds = 11 };

static __device__ void begin(unsigned long long *barriers, unsigned count) {
  if (threadIdx.x < 2)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n fence.mbarrier_init.release.cluster;" ::"r"(
                     shared_address(barriers + threadIdx.x)),
                 "r"(count)
                 : "memory");
  cluster_sync();
}

__global__ void by_arrivals(int *out) {
  __shared__ int cells[2][Threads];
  __shared__ unsigned long long full[2];
  const unsigned next = (cluster_rank() + 1) % cluster_size(), t = threadIdx.x;
  begin(full, Threads);
  int value = blockIdx.x * Threads + t;
  for (int r = 0; r < Rounds; r++) {
    const int at = r % 2;
    *pointer_of(&cells[at][t], next) = value;
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(shared_address_of(&full[at], next))
                 : "memory");
    wait_parity(&full[at], r / 2 % 2);
    value = cells[at][t];
    cluster_sync();
  }
  out[blockIdx.x * Threads + t] = value;
}

__global__ void by_async_stores(int *out) {
  __shared__ int cells[2][Threads];
  __shared__ unsigned long long full[2];
  const unsigned next = (cluster_rank() + 1) % cluster_size(), t = threadIdx.x;
  begin(full, 1);
  int value = blockIdx.x * Threads + t;
  for (int r = 0; r < Rounds; r++) {
    const int at = r % 2;
    if (t == 0)
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&full[at])),
                   "r"((int)sizeof cells[0])
                   : "memory");
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(
                     shared_address_of(&cells[at][t], next)),
                 "r"(value), "r"(shared_address_of(&full[at], next))
                 : "memory");
    wait_parity(&full[at], r / 2 % 2);
    value = cells[at][t];
    cluster_sync();
  }
  out[blockIdx.x * Threads + t] = value;
}

static void check(Values<int, Blocks * Threads> &out) {
  out.read();
  for (int b = 0; b < Blocks; b++)
    for (int t = 0; t < Threads; t++) {
      const int from = b / Size * Size + (b % Size + Size * Rounds - Rounds) % Size;
      EXPECT(out.host[b * Threads + t] == from * Threads + t);
    }
}

int main() {
  Values<int, Blocks * Threads> arrivals, stores;
  OK(launch_clusters(Size, Blocks, Threads, 0, by_arrivals, arrivals.device));
  OK(launch_clusters(Size, Blocks, Threads, 0, by_async_stores, stores.device));
  check(arrivals);
  check(stores);
  return finish();
}
