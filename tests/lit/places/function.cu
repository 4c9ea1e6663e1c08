// A function definition.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=64
// RUN: %has region:host executions=2 launches=2
#include "place.h"

#pragma gpuprof region("device")
__device__ float on_device(float x) { return x + 1.0f; }

#pragma gpuprof region("host")
void on_host() { LAUNCH(); }
