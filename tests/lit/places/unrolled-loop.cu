// Another pragma between the region and its loop, or before both.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=512
// RUN: %has region:host executions=2 launches=4
// RUN: %has region:after counts flops.fp32.add=192
#include "place.h"

__device__ float on_device(float x) {
#pragma gpuprof region("device")
#pragma unroll 4
  for (int i = 0; i < 8; ++i)
    x = x + 1.0f;
#pragma unroll
#pragma gpuprof region("after")
  for (int i = 0; i < 3; ++i)
    x = x + 2.0f;
  return x;
}
void on_host() {
#pragma gpuprof region("host")
#pragma clang loop vectorize(disable)
  for (int i = 0; i < 2; ++i)
    LAUNCH();
}
