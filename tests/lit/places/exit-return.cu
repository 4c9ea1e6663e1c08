// A return in the middle of a region ends it.
// RUN: %place
// RUN: %has region:device flops.fp32.add=96 flops.total=96
// RUN: %has region:host executions=2 launches=2
#include "place.h"

__device__ float on_device(float x) {
  volatile float two = 2.0f; // keeps the sum from being folded
#pragma gpuprof region("device")
  {
    x = x + 1.0f;
    if (threadIdx.x % 2)
      return x;
    x = x + two;
  }
  return x * 2.0f;
}
static int leave() {
#pragma gpuprof region("host")
  {
    LAUNCH();
    return 1;
  }
}
void on_host() {
  leave();
  LAUNCH();
}
