// goto ends all regions it leaves.
// RUN: %place
// RUN: %has region:device flops.fp32.add=112 flops.total=112
// RUN: %has region:host executions=2 launches=2
// RUN: %has region:inner counts flops.fp32.add=64
// RUN: %has region:host-inner executions=2 launches=2
#include "place.h"

__device__ float on_device(float x) {
  volatile float two = 2.0f; // keeps the sum from being folded
#pragma gpuprof region("device")
  {
#pragma gpuprof region("inner")
    {
      x = x + 1.0f;
      if (threadIdx.x < 16)
        goto out;
    }
    x = x + two;
  }
out:
  return x * 2.0f;
}
void on_host() {
#pragma gpuprof region("host")
  {
#pragma gpuprof region("host-inner")
    {
      LAUNCH();
      if (memory)
        goto out;
    }
    LAUNCH();
  }
out:
  LAUNCH();
}
