// A for loop is one execution, whatever it repeats.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=320
// RUN: %has region:host executions=2 launches=10
#include "place.h"

__device__ float on_device(float x) {
#pragma gpuprof region("device")
  for (int i = 0; i < 5; ++i)
    x = x + 1.0f;
  return x;
}
void on_host() {
#pragma gpuprof region("host")
  for (int i = 0; i < 5; ++i)
    LAUNCH();
}
