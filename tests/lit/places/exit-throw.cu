// An exception ends the regions it passes.
// RUN: %place
// RUN: %has region:host executions=2 launches=2
// RUN: %has region:inner executions=2 launches=2
#include "place.h"

__device__ float on_device(float x) { return x; }

#pragma gpuprof region("inner")
static void thrower() {
  LAUNCH();
  throw 1;
}
void on_host() {
  try {
#pragma gpuprof region("host")
    thrower();
  } catch (int) {
    LAUNCH();
  }
}
