// A cluster's barrier does not wait for returned threads, in any block, before
// or after their arrival. Between arrival and wait a thread does other work.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: env GPUPROF_OUTPUT=%t.json GPUPROF_SCHEDULE=strict %t | %FileCheck %s
// CHECK: all right
#include "clusters.h"

enum { Size = 4, Threads = 64, Blocks = 2 * Size, Rounds = 5 };

__global__ void run(int *out) {
  __shared__ int values[2][Threads];
  const unsigned rank = cluster_rank(), t = threadIdx.x;
  if (t < 32 && rank % 2) // whole warps
    return;
  int sum = 0;
  for (int r = 0; r < Rounds; r++) {
    values[r % 2][t] = blockIdx.x + r;
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
    sum += 1000;
    if (t < 32 && rank == 2 && r == 2)
      break;
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
    if (t >= 32)
      sum += *pointer_of(&values[r % 2][t], (rank + 1) % Size);
  }
  out[blockIdx.x * Threads + t] = sum;
  if (t >= 32 || rank != 2) // values stay until the others have read them
    asm volatile("barrier.cluster.arrive.relaxed; barrier.cluster.wait;" ::: "memory");
}

int main() {
  Values<int, Blocks * Threads> out;
  OK(launch_clusters(Size, Blocks, Threads, 0, run, out.device));
  out.read();
  for (int b = 0; b < Blocks; b++)
    for (int t = 0; t < Threads; t++) {
      const int rank = b % Size, next = b / Size * Size + (rank + 1) % Size;
      int expected = 1000 * Rounds + (t < 32 ? 0 : next * Rounds + Rounds * (Rounds - 1) / 2);
      if (t < 32)
        expected = rank % 2 ? 0 : rank == 2 ? 3000 : expected;
      EXPECT(out.host[b * Threads + t] == expected);
    }
  return finish();
}
