// continue ends the region it leaves, each time.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=256
// RUN: %has region:host executions=8 launches=8
#include "place.h"

__device__ float on_device(float x) {
  for (int i = 0; i < 4; ++i) {
#pragma gpuprof region("device")
    {
      x = x + 1.0f;
      if (i % 2)
        continue;
    }
    x = x * 2.0f;
  }
  return x;
}
void on_host() {
  for (int i = 0; i < 4; ++i) {
#pragma gpuprof region("host")
    {
      LAUNCH();
      if (i % 2)
        continue;
    }
    LAUNCH();
  }
}
