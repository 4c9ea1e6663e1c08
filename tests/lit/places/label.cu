// A statement after a label.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=192
// RUN: %has region:host executions=6 launches=6
#include "place.h"

__device__ float on_device(float x) {
  int n = 0;
again:
#pragma gpuprof region("device")
  x = x + 1.0f;
  if (++n < 3)
    goto again;
  return x;
}
void on_host() {
  int n = 0;
again:
#pragma gpuprof region("host")
  LAUNCH();
  if (++n < 3)
    goto again;
}
