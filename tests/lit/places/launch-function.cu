// A call of cudaLaunchKernel, and a launch with a configuration of four.
// RUN: %place
// RUN: %has region:host executions=2 launches=2
// RUN: %has region:stream executions=2 launches=2
#include "place.h"

__device__ float on_device(float x) { return x; }
void on_host() {
  void *arguments[] = {&memory};
#pragma gpuprof region("host")
  cudaLaunchKernel((const void *)work, dim3(1), dim3(64), arguments, 0, nullptr);
#pragma gpuprof region("stream")
  work<<<dim3(1), dim3(64), 0, cudaStream_t(0)>>>(memory);
}
