// A sleeping thread lets the other one go on.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void wait(volatile int *flag, int *out) {
  if (threadIdx.x == 0) {
    while (!*flag)
      __nanosleep(100);
    *out = 5;
  } else
    *flag = 1;
}

int main() {
  Values<int, 1> flag, out;
  wait<<<1, 2>>>(flag.device, out.device);
  out.read();
  EXPECT(out.host[0] == 5);
  return finish();
}
