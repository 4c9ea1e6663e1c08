// cudaEventElapsedTime between events is not negative; it is an error where one was not recorded.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

__global__ void nothing() {}

int main() {
  cudaEvent_t start, stop, never;
  float milliseconds = -1;
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&stop));
  OK(cudaEventCreate(&never));
  OK(cudaEventRecord(start));
  nothing<<<1, 1>>>();
  OK(cudaEventRecord(stop));
  OK(cudaEventSynchronize(stop));
  OK(cudaEventElapsedTime(&milliseconds, start, stop));
  EXPECT(milliseconds >= 0);
  EXPECT(cudaEventElapsedTime(&milliseconds, start, never) == cudaErrorInvalidResourceHandle);
  return finish();
}
