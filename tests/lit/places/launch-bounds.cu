// A kernel with __launch_bounds__, before and after its return type.
// RUN: %place
// RUN: %has region:kernel launches=2 flops.fp32.add=128 flops.total=128
// RUN: %has region:other launches=2 flops.fp32.mul=128 flops.total=128
#include "place.h"

#pragma gpuprof region("kernel")
__global__ void __launch_bounds__(64) first(float *p) { p[threadIdx.x] += 1.0f; }
#pragma gpuprof region("other")
__launch_bounds__(64, 2) __global__ void second(float *p) { p[threadIdx.x] *= 2.0f; }

__device__ float on_device(float x) { return x; }
void on_host() {
  first<<<1, 64>>>(memory);
  second<<<1, 64>>>(memory);
}
