// A member function, defined in its class and outside of it.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=64
// RUN: %has region:host executions=2 launches=2
#include "place.h"

struct Place {
#pragma gpuprof region("device")
  __device__ float add(float x) { return x + 1.0f; }
  void launch();
};
#pragma gpuprof region("host")
void Place::launch() { LAUNCH(); }

__device__ float on_device(float x) { return Place().add(x); }
void on_host() { Place().launch(); }
