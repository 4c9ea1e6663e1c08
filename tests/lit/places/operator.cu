// Operators, conversions among them.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=64
// RUN: %has region:host executions=2 launches=2
#include "place.h"

struct Place {
  float x;
#pragma gpuprof region("device")
  __device__ float operator+(float y) const { return x + y; }
#pragma gpuprof region("host")
  operator bool() const {
    LAUNCH();
    return true;
  }
};

__device__ float on_device(float x) { return Place{x} + 1.0f; }
void on_host() { (void)bool(Place{}); }
