// mbarrier objects in inline PTX: arrivals with a state and by parity, several phases, a dropped arrival, bytes of bulk copies.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

enum { Threads = 96, Rounds = 4 };

static __device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

static __device__ void wait_parity(unsigned barrier, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
}

// In each round a thread reads what its neighbour has written in the round before.
__global__ void rounds(int *out) {
  alignas(8) __shared__ unsigned long long barrier;
  __shared__ int values[2][Threads];
  const int t = threadIdx.x;
  const unsigned b = shared_address(&barrier);
  if (t == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(b), "r"(Threads) : "memory");
  __syncthreads();
  int value = t;
  for (int r = 0; r < Rounds; r++) {
    values[r % 2][t] = value;
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(b) : "memory");
    unsigned done = 0;
    while (!done)
      asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done) : "r"(b), "l"(state) : "memory");
    value += values[r % 2][(t + 1) % Threads];
  }
  out[t] = value;
}

// The first 32 threads leave after one phase; the others go on without them.
__global__ void dropped(int *out) {
  alignas(8) __shared__ unsigned long long barrier;
  __shared__ int sum;
  const int t = threadIdx.x;
  const unsigned b = shared_address(&barrier);
  if (t == 0) {
    sum = 0;
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(b), "r"(Threads) : "memory");
  }
  __syncthreads();
  atomicAdd(&sum, 1);
  if (t < 32) {
    asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" ::"r"(b) : "memory");
    return;
  }
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(b) : "memory");
  wait_parity(b, 0);
  out[t] = sum;
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(b) : "memory");
  wait_parity(b, 1);
}

// One thread orders a bulk copy, whose bytes complete the phase; then another takes them back.
__global__ void bulk(const int *in, int *out) {
  alignas(16) __shared__ int data[Threads];
  alignas(8) __shared__ unsigned long long barrier;
  const int t = threadIdx.x;
  const unsigned b = shared_address(&barrier), d = shared_address(data);
  if (t == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"((int)sizeof data) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(d), "l"(in),
                 "r"((int)sizeof data), "r"(b)
                 : "memory");
  }
  wait_parity(b, 0);
  const int value = data[Threads - 1 - t];
  __syncthreads();
  data[t] = value * 2;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 32) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(d), "r"((int)sizeof data) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

int main() {
  Values<int, Threads> out, sums, in, back;
  rounds<<<1, Threads>>>(out.device);
  dropped<<<1, Threads>>>(sums.device);
  for (int i = 0; i < Threads; i++)
    in.host[i] = i * i;
  in.write();
  bulk<<<1, Threads>>>(in.device, back.device);
  out.read(), sums.read(), back.read();
  int expected[Threads], next[Threads];
  for (int i = 0; i < Threads; i++)
    expected[i] = i;
  for (int r = 0; r < Rounds; r++) {
    for (int i = 0; i < Threads; i++)
      next[i] = expected[i] + expected[(i + 1) % Threads];
    memcpy(expected, next, sizeof next);
  }
  for (int i = 0; i < Threads; i++) {
    EXPECT(out.host[i] == expected[i]);
    EXPECT(sums.host[i] == (i < 32 ? 0 : Threads));
    EXPECT(back.host[i] == 2 * (Threads - 1 - i) * (Threads - 1 - i));
  }
  return finish();
}
