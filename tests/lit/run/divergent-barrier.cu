// Threads of a block waiting at different __syncthreads() go on, as on a tolerant GPU, and a warning
// names their places: once a launch, with the place of the call for a barrier inside a function.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: %FileCheck --check-prefix=WARNING %s <%t.err
// CHECK: all right
#include "run.h"

__device__ void meet() { __syncthreads(); }
// WARNING-NOT: together
// WARNING: gpuprof: warning: apart(int*): block (0,0,0): divergent barrier: thread (0,0,0) waits for the block at
// WARNING-SAME: divergent-barrier.cu:[[#@LINE+14]], thread (32,0,0) at {{.*}}divergent-barrier.cu:[[#@LINE-3]]
// WARNING-SAME: (called at {{.*}}divergent-barrier.cu:[[#@LINE+17]]); a GPU may hang or go on with wrong data:
// WARNING-NOT: divergent

__global__ void together(int *out) {
  out[threadIdx.x] = 0;
  meet();
  if (threadIdx.x == 0)
    return;
  __syncthreads();
}

__global__ void apart(int *out) {
  if (threadIdx.x < 32) {
    __syncthreads(); // not last, as in the other branch: LLVM 16 would make one barrier of the two
    out[threadIdx.x] = 1;
  } else {
    out[threadIdx.x] = 2;
    meet();
  }
}

int main() {
  int host[64] = {}, *out = to_device(host, 64);
  together<<<1, 64>>>(out);
  apart<<<3, 64>>>(out);
  OK(cudaDeviceSynchronize());
  to_host(host, out, 64);
  EXPECT(host[31] == 1 && host[32] == 2);
  return finish();
}
