// A static function.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=64
// RUN: %has region:host executions=2 launches=2
#include "place.h"

#pragma gpuprof region("device")
static __device__ float add(float x) { return x + 1.0f; }
#pragma gpuprof region("host")
static void launch() { LAUNCH(); }

__device__ float on_device(float x) { return add(x); }
void on_host() { launch(); }
