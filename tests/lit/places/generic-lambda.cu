// Statements of generic lambdas: each instantiation.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=64
// RUN: %has region:host executions=4 launches=4
#include "place.h"

__device__ float on_device(float x) {
  auto add = [](auto y) {
#pragma gpuprof region("device")
    y = y + 1;
    return y;
  };
  return add(x) * float(add(3));
}
void on_host() {
  auto launch = [](auto n) {
#pragma gpuprof region("host")
    work<<<1, n>>>(memory);
  };
  launch(64);
  launch(64u);
}
