// A cooperative launch of more blocks than the CPU's cores or counter slots: 1056 blocks, as many as an H200
// takes. Every block waits for all others, three times, all threads of a block by one or each by itself.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json timeout 60 %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json meet launches=1 threads=67584 bytes.global.store=270336
// CHECK: all right
#include "lanes.h"

enum { BLOCKS = 1056, THREADS = 64 };

__device__ unsigned arrived[4];

static __device__ void wait_for_all(unsigned *counter, unsigned all) {
  while (atomicAdd(counter, 0u) < all)
    ;
}

__global__ void meet(unsigned *out) {
  for (int phase = 0; phase < 2; phase++) {
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(&arrived[phase], 1u);
      wait_for_all(&arrived[phase], gridDim.x);
    }
    __syncthreads();
  }
  atomicAdd(&arrived[2], 1u);
  wait_for_all(&arrived[2], gridDim.x * blockDim.x);
  out[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(&arrived[1], 0u);
}

int main() {
  static Values<unsigned, BLOCKS * THREADS> out;
  void *arguments[] = {&out.device};
  OK(cudaLaunchCooperativeKernel(meet, dim3(BLOCKS), dim3(THREADS), arguments, 0, 0));
  out.read();
  bool all = true;
  for (unsigned value : out.host)
    all = all && value == BLOCKS;
  EXPECT(all);
  return finish();
}
