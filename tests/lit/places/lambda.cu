// Statements of lambdas, in functions and in the values of variables.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=64
// RUN: %has region:host executions=2 launches=2
#include "place.h"

auto global = [](int n) {
#pragma gpuprof region("host")
  work<<<1, n>>>(memory);
};

__device__ float on_device(float x) {
  auto add = [&] {
#pragma gpuprof region("device")
    x = x + 1.0f;
  };
  add();
  return x;
}
void on_host() { global(64); }
