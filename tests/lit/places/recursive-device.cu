// A recursive function in a kernel: its region is one for all depths, and counts the work of each.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=256 flops.fp32.mul=64
// RUN: %has region:bottom counts flops.fp32.mul=64
// RUN: %has region:host executions=2 launches=2
#include "place.h"

#pragma gpuprof region("device")
__device__ __noinline__ float recurse(float x, int n) {
  x = x + 1.0f;
  if (n == 0)
#pragma gpuprof region("bottom")
    return x * 0.5f;
  return recurse(x, n - 1) + 2.0f;
}
__device__ float on_device(float x) { return recurse(x, threadIdx.x % 4); }

#pragma gpuprof region("host")
void on_host() { LAUNCH(); }
