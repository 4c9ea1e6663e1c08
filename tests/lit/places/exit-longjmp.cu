// longjmp runs no code of the region: it is closed when a region around it ends.
// RUN: %place
// RUN: %has region:host executions=2 launches=2
// RUN: %has region:around executions=2 launches=2
#include "place.h"

#include <setjmp.h>

__device__ float on_device(float x) { return x; }

static jmp_buf back;
static void leave() {
#pragma gpuprof region("host")
  {
    LAUNCH();
    longjmp(back, 1);
  }
}
void on_host() {
#pragma gpuprof region("around")
  {
    if (!setjmp(back))
      leave();
  }
  LAUNCH();
}
