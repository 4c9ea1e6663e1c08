// A barrier of the whole block with a number other than 0, in a kernel run as loops over threads.
// RUN: %clangxx -fplugin=%plugin -Rpass-missed=gpuprof %minicuda -I%S/Inputs -O2 %s -o %t %link > %t.log 2>&1
// RUN: sh -c '! grep remark: %t.log'
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void reverse(int *out, int turns) {
  __shared__ int s[2][96];
  int t = threadIdx.x;
  s[0][t] = t * t;
  for (int i = 0; i < turns; i++) {
    asm volatile("bar.sync 3;" ::: "memory");
    s[(i + 1) % 2][t] = s[i % 2][95 - t] + i;
  }
  asm volatile("barrier.sync 5;" ::: "memory");
  out[t] = s[turns % 2][(t + 1) % 96];
}

int main() {
  Values<int, 96> out;
  reverse<<<1, 96>>>(out.device, 3);
  out.read();
  for (int t = 0; t < 96; t++) {
    int from = 95 - (t + 1) % 96;
    EXPECT(out.host[t] == from * from + 3);
  }
  return finish();
}
