// The branches of an if, with braces and without: each is a place of its own.
// RUN: %place
// RUN: %has region:device flops.fp32.add=24 flops.total=24
// RUN: %has region:host executions=1 launches=1
// RUN: %has region:else-if flops.fp32.mul=10 flops.total=10
// RUN: %has region:else flops.fp64.add=30 flops.fp64.mul=30 flops.total=60
// RUN: %has region:host-else executions=1 launches=2
#include "place.h"

__device__ float on_device(float x) {
  volatile float y = 1.0f; // keeps the work from being folded
  if (threadIdx.x < 24)
#pragma gpuprof region("device")
    x = x + y;
  else if (threadIdx.x < 34)
#pragma gpuprof region("else-if")
  {
    x = x * y;
  }
  else
#pragma gpuprof region("else")
    x = float(double(x) + 0.1 * y);
  return x;
}
void on_host() {
  static int calls;
  if (calls++)
#pragma gpuprof region("host")
    LAUNCH();
  else
#pragma gpuprof region("host-else")
  {
    LAUNCH();
    LAUNCH();
  }
}
