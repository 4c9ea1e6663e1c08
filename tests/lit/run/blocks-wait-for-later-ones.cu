// A block waiting for one with a higher number lets it run, in a plain launch, with one worker and either schedule.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_CPU_WORKERS=1 GPUPROF_OUTPUT=%t.json timeout 60 %t | %FileCheck %s
// RUN: env GPUPROF_CPU_WORKERS=3 GPUPROF_OUTPUT=%t.json timeout 60 %t | %FileCheck %s
// RUN: env GPUPROF_SCHEDULE=strict GPUPROF_OUTPUT=%t.json timeout 60 %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

enum { BLOCKS = 40, THREADS = 64 };

// Blocks end in the order given by `step`: each waits for the one before it.
__global__ void chain(unsigned *turn, int step, unsigned *order) {
  unsigned mine = step > 0 ? blockIdx.x : gridDim.x - 1 - blockIdx.x;
  if (threadIdx.x == 0) {
    while (atomicAdd(turn, 0u) != mine)
      ;
    order[mine] = blockIdx.x;
  }
  __syncthreads();
  if (threadIdx.x == THREADS - 1)
    atomicAdd(turn, 1u);
}

int main() {
  for (int step = -1; step <= 1; step += 2) {
    Values<unsigned, 1> turn;
    Values<unsigned, BLOCKS> order;
    chain<<<BLOCKS, THREADS>>>(turn.device, step, order.device);
    OK(cudaDeviceSynchronize());
    order.read();
    for (unsigned i = 0; i < BLOCKS; i++)
      EXPECT(order.host[i] == (step > 0 ? i : BLOCKS - 1 - i));
  }
  return finish();
}
