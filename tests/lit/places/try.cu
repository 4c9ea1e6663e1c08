// A try statement: its handlers are within the region, handlers of a function-try-block are not.
// RUN: %place
// RUN: %has region:host executions=2 launches=4
// RUN: %has region:body executions=2 launches=2
#include "place.h"

__device__ float on_device(float x) { return x; }

#pragma gpuprof region("body")
static void function() try {
  LAUNCH();
  throw 1;
} catch (int) {
  LAUNCH();
}

void on_host() {
#pragma gpuprof region("host")
  try {
    LAUNCH();
    throw 1;
  } catch (int) {
    LAUNCH();
  }
  function();
}
