// A switch, and the statements after its labels.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=48
// RUN: %has region:host executions=1 launches=1
// RUN: %has region:case counts flops.fp32.add=16
#include "place.h"

__device__ float on_device(float x) {
#pragma gpuprof region("device")
  switch (threadIdx.x % 4) {
  case 0:
#pragma gpuprof region("case")
    x = x + 1.0f;
    break;
  case 1:
  case 2:
    x = x + 2.0f;
  }
  return x;
}
void on_host() {
  static int calls;
  switch (calls++) {
  case 0:
    LAUNCH();
    break;
  default:
#pragma gpuprof region("host")
    LAUNCH();
  }
}
