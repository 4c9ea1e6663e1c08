// Regions in regions: inner work counts for all enclosing regions.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=192
// RUN: %has region:host executions=2 launches=4
// RUN: %has region:second counts flops.fp32.add=128
// RUN: %has region:fourth counts flops.fp32.add=64
// RUN: %has region:host-third executions=2 launches=2
#include "place.h"

__device__ float on_device(float x) {
#pragma gpuprof region("device")
  {
    x = x + 1.0f;
#pragma gpuprof region("second")
    {
      x = x + 2.0f;
#pragma gpuprof region("third")
#pragma gpuprof region("fourth")
      x = x + 3.0f;
    }
  }
  return x;
}
void on_host() {
#pragma gpuprof region("host")
  {
    LAUNCH();
#pragma gpuprof region("host-second")
    {
#pragma gpuprof region("host-third")
      LAUNCH();
    }
  }
}
