// A constructor's region is its body: its initialisers run before.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=64
// RUN: %has region:host executions=2 launches=2
#include "place.h"

struct Place {
  float y;
#pragma gpuprof region("device")
  __device__ Place(float x) : y(x * 2.0f) { y = y + 1.0f; }
#pragma gpuprof region("host")
  Place() : y((LAUNCH(), 0.0f)) { LAUNCH(); }
};

__device__ float on_device(float x) { return Place(x).y; }
void on_host() { Place(); }
