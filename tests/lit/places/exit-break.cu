// break out of a loop or switch ends the region in it.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=192
// RUN: %has region:host executions=6 launches=6
#include "place.h"

__device__ float on_device(float x) {
  for (int i = 0; i < 10; ++i) {
#pragma gpuprof region("device")
    {
      x = x + 1.0f;
      if (i == 2)
        break;
    }
    x = x * 2.0f;
  }
  return x;
}
void on_host() {
  for (int i = 0;; ++i) {
#pragma gpuprof region("host")
    {
      LAUNCH();
      if (i == 2)
        break;
    }
  }
  LAUNCH();
}
