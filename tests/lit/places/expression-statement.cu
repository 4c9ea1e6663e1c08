// Expressions: calls, assignments, the comma; and statements in ({ }).
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=128
// RUN: %has region:host executions=2 launches=4
// RUN: %has region:inner counts flops.fp32.add=64
#include "place.h"

__device__ float add(float x) { return x + 1.0f; }
__device__ float on_device(float x) {
#pragma gpuprof region("device")
  x = add(x), x = add(x);
  return ({
#pragma gpuprof region("inner")
    x = x + 1.0f;
    x;
  });
}
static int launch() {
  LAUNCH();
  return 0;
}
void on_host() {
#pragma gpuprof region("host")
  launch() ? (void)0 : (void)launch();
}
