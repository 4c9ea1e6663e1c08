// A function template: each of its instantiations.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=64
// RUN: %has region:host executions=4 launches=4
#include "place.h"

#pragma gpuprof region("device")
template <class T> __device__ T add(T x) { return x + T(1); }
#pragma gpuprof region("host")
template <int N> void launch() { LAUNCH(); }

__device__ float on_device(float x) { return add(x) * add(2); }
void on_host() {
  launch<1>();
  launch<2>();
}
