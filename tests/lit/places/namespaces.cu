// Functions in named, nested and anonymous namespaces.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=64
// RUN: %has region:host executions=2 launches=2
#include "place.h"

namespace outer::inner {
#pragma gpuprof region("device")
__device__ float add(float x) { return x + 1.0f; }
} // namespace outer::inner
namespace {
#pragma gpuprof region("host")
void launch() { LAUNCH(); }
} // namespace

__device__ float on_device(float x) { return outer::inner::add(x); }
void on_host() { launch(); }
