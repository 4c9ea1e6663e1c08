// A friend defined in its class.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=64
// RUN: %has region:host executions=2 launches=2
#include "place.h"

struct Place {
  float x;
#pragma gpuprof region("device")
  friend __device__ float add(Place p) { return p.x + 1.0f; }
#pragma gpuprof region("host")
  friend void launch(Place) { LAUNCH(); }
};

__device__ float on_device(float x) { return add(Place{x}); }
void on_host() { launch(Place{}); }
