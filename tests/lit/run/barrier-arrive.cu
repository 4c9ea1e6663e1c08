// bar.arrive: one warp fills what the other waits for, and goes on without waiting itself.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void produce(int *out) {
  __shared__ int box[32];
  if (threadIdx.x < 32) {
    box[threadIdx.x] = threadIdx.x * 3;
    __threadfence_block();
    asm volatile("bar.arrive 2, 64;" ::: "memory");
    out[threadIdx.x] = 1;
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");
    out[threadIdx.x] = box[63 - threadIdx.x];
  }
}

int main() {
  Values<int, 64> out;
  produce<<<2, 64>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == 1 && out.host[32 + i] == (31 - i) * 3);
  return finish();
}
