// A thread waiting for another thread of its block by a volatile load, and one taking a lock.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

__global__ void handshake(volatile int *flag, int *lock, int *counter) {
  if (threadIdx.x == 0)
    while (*flag == 0)
      ;
  if (threadIdx.x == blockDim.x - 1) {
    __threadfence();
    *flag = 1;
  }
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *(volatile int *)counter += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

int main() {
  int zero[3] = {0, 0, 0};
  int *p = to_device(zero, 3);
  handshake<<<1, 256>>>(p, p + 1, p + 2);
  OK(cudaDeviceSynchronize());
  to_host(zero, p, 3);
  EXPECT(zero[0] == 1 && zero[1] == 0 && zero[2] == 256);
  return finish();
}
