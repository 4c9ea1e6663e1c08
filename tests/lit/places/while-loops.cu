// while and do loops, and their bodies without braces.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=192
// RUN: %has region:host executions=2 launches=6
// RUN: %has region:body counts flops.fp32.add=320
#include "place.h"

__device__ float on_device(float x) {
  int n = 3;
#pragma gpuprof region("device")
  while (n-- > 0)
    x = x + 1.0f;
  do
#pragma gpuprof region("body")
    x = x - 1.0f;
  while (++n < 4);
  return x;
}
void on_host() {
  int n = 3;
#pragma gpuprof region("host")
  do
    LAUNCH();
  while (--n);
}
