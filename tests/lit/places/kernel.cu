// A kernel: all its work, for each launched thread.
// RUN: %place
// RUN: %has region:kernel counts launches=2 flops.fp32.add=128 bytes.global.load=512 bytes.global.store=512
#include "place.h"

#pragma gpuprof region("kernel")
__global__ void whole(float *p) { p[threadIdx.x] += 1.0f; }

__device__ float on_device(float x) { return x; }
void on_host() { whole<<<1, 64>>>(memory); }
