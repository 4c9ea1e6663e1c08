// A block, and a block as the last statement of a function.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=64
// RUN: %has region:host executions=2 launches=4
#include "place.h"

__device__ float on_device(float x) {
#pragma gpuprof region("device")
  {
    x = x + 1.0f;
  }
  x = x * 2.0f;
  return x;
}
void on_host() {
  LAUNCH();
#pragma gpuprof region("host")
  {
    LAUNCH();
    LAUNCH();
  }
}
