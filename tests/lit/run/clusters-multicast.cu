// A bulk copy to several blocks of a cluster at once, and one from
// block to block; blocks outside of the mask keep their values.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "clusters.h"

enum { Size = 4, N = 64, Blocks = 2 * Size };

static __device__ void begin(unsigned long long *barrier) {
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n fence.mbarrier_init.release.cluster;" ::"r"(
                     shared_address(barrier))
                 : "memory");
}

static __device__ void expect(unsigned long long *barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
               : "memory");
}

// Each block brings its quarter of the values to the blocks of the mask.
__global__ void to_several(const int *in, int *out, unsigned mask) {
  alignas(128) __shared__ int values[N];
  __shared__ unsigned long long barrier;
  const unsigned rank = cluster_rank(), t = threadIdx.x, first = rank * (N / Size);
  values[t] = -1;
  asm volatile("fence.proxy.async;" ::: "memory");
  begin(&barrier);
  cluster_sync();
  if (t == 0) {
    if (mask >> rank & 1)
      expect(&barrier, sizeof values);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(
                     shared_address(values + first)),
                 "l"(in + blockIdx.x / Size * N + first), "r"((int)sizeof values / Size), "r"(shared_address(&barrier)),
                 "h"((unsigned short)mask)
                 : "memory");
  }
  if (mask >> rank & 1)
    wait_parity(&barrier, 0);
  out[blockIdx.x * N + t] = values[t];
  cluster_sync();
}

__global__ void to_next(int *out) {
  alignas(128) __shared__ int own[N];
  alignas(128) __shared__ int given[N];
  __shared__ unsigned long long barrier;
  const unsigned t = threadIdx.x, next = (cluster_rank() + 1) % Size;
  own[t] = blockIdx.x * N + t;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  begin(&barrier);
  cluster_sync();
  if (t == 0) {
    expect(&barrier, sizeof own);
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address_of(given, next)),
                 "r"(shared_address(own)), "r"((int)sizeof own), "r"(shared_address_of(&barrier, next))
                 : "memory");
  }
  wait_parity(&barrier, 0);
  out[blockIdx.x * N + t] = given[t];
  cluster_sync();
}

int main() {
  Values<int, 2 * N> in;
  for (int i = 0; i < 2 * N; i++)
    in.host[i] = 1000 + i;
  in.write();
  for (unsigned mask = 5; mask <= 15; mask += 5) {
    Values<int, Blocks * N> out;
    OK(launch_clusters(Size, Blocks, N, 0, to_several, in.device, out.device, mask));
    out.read();
    for (int b = 0; b < Blocks; b++)
      for (int i = 0; i < N; i++)
        EXPECT(out.host[b * N + i] == (mask >> b % Size & 1 ? 1000 + b / Size * N + i : -1));
  }
  Values<int, Blocks * N> out;
  OK(launch_clusters(Size, Blocks, N, 0, to_next, out.device));
  out.read();
  for (int b = 0; b < Blocks; b++)
    for (int i = 0; i < N; i++)
      EXPECT(out.host[b * N + i] == (b / Size * Size + (b + Size - 1) % Size) * N + i);
  return finish();
}
