// __brkpt ends the launch without an attached debugger, as on a GPU: in the executing threads, with its line.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t none | %FileCheck %s
// RUN: env GPUPROF_OUTPUT=%t.json %t call 2>%t.call | %FileCheck %s
// RUN: grep -E 'thread \(5,0,0\): trap: breakpoint without a debugger at .*breakpoint.cu:13$' %t.call
// RUN: env GPUPROF_OUTPUT=%t.json %t predicate 2>%t.predicate | %FileCheck %s
// RUN: grep -E 'thread \(5,0,0\): trap: breakpoint without a debugger at .*breakpoint.cu:17$' %t.predicate
// CHECK: all right
#include "lanes.h"
#include <cstring>
__global__ void call(int which) {
  if (threadIdx.x == which)
    __brkpt();
}

__global__ void predicate(int which) {
  asm volatile("{ .reg .pred p; setp.eq.s32 p, %0, %1;\n"
               "@p brkpt; }" ::"r"(threadIdx.x),
               "r"(which));
}

int main(int, char **arguments) {
  const bool none = !std::strcmp(arguments[1], "none");
  if (std::strcmp(arguments[1], "predicate"))
    call<<<1, 32>>>(none ? 32 : 5);
  else
    predicate<<<1, 32>>>(5);
  EXPECT(cudaDeviceSynchronize() == (none ? cudaSuccess : cudaErrorLaunchFailure));
  void *p;
  EXPECT(cudaMalloc(&p, 4) == (none ? cudaSuccess : cudaErrorLaunchFailure));
  return finish();
}
