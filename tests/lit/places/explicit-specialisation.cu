// An explicit specialisation, and not the template.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=64
// RUN: %has region:host executions=2 launches=2
#include "place.h"

template <class T> __device__ T add(T x) { return x + T(1); }
#pragma gpuprof region("device")
template <> __device__ float add(float x) { return x + 1.0f; }
template <int N> void launch() { LAUNCH(); }
#pragma gpuprof region("host")
template <> void launch<1>() { LAUNCH(); }

__device__ float on_device(float x) { return add(x) * float(add(double(x))); }
void on_host() {
  launch<1>();
  launch<2>();
}
