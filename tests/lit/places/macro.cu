// By _Pragma in a macro: before the macro's code, and before the code behind it.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=64
// RUN: %has region:host executions=2 launches=2
#include "place.h"

#define REGION(text) _Pragma(text)
#define ADD(x) _Pragma("gpuprof region(\"device\")") x = x + 1.0f

__device__ float on_device(float x) {
  ADD(x);
  return x;
}
REGION("gpuprof region(\"host\")")
void on_host() { LAUNCH(); }
