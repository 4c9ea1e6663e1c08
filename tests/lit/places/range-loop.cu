// A loop over a range.
// RUN: %place
// RUN: %has region:device flops.fp32.add=192 flops.total=192
// RUN: %has region:host executions=2 launches=6
#include "place.h"

__device__ float on_device(float x) {
  float values[3] = {x, x, x};
#pragma gpuprof region("device")
  for (float v : values)
    x = x + v;
  return x;
}
void on_host() {
  int values[3] = {};
#pragma gpuprof region("host")
  for (int v : values)
    work<<<1, 64 + v>>>(memory);
}
