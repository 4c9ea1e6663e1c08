// A device lambda passed to a kernel.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=128 bytes.constant.load=512 launches=2
// RUN: %has region:host executions=2 launches=2
#include "place.h"

template <class F> __global__ void apply(F f, float *p) { p[threadIdx.x] = 2.0f * f(p[threadIdx.x]); }

__device__ float on_device(float x) { return x; }
void on_host() {
  float one = 1.0f;
  auto add = [=] __device__(float x) {
#pragma gpuprof region("device")
    return x + one;
  };
#pragma gpuprof region("host")
  apply<<<1, 64>>>(add, memory);
}
