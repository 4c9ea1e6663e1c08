// exit() within regions: their counts are in the report.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=64
// RUN: %has region:host executions=1 launches=2
// RUN: %has region:inner executions=1 launches=1
#include "place.h"

#include <stdlib.h>

__device__ float on_device(float x) {
#pragma gpuprof region("device")
  x = x + 1.0f;
  return x;
}
#pragma gpuprof region("host")
void on_host() {
  LAUNCH();
#pragma gpuprof region("inner")
  {
    LAUNCH();
    exit(0);
  }
}
