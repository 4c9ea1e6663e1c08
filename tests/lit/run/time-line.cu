// The time line of the CPU device: sums that agree, and gaps with what the host did in them, also between two executions of a
// region and in a region without launches. Times of the host are never those of a GPU.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/time_line_is.py %t.json kernels=8 copies=2 streams=2 load=step/load,region outside=None,outside held=held,region
// RUN: %gpuprof report --timeline %t.json | %FileCheck --check-prefix=REPORT %s
// RUN: %gpuprof report %t.json | %FileCheck --check-prefix=SHORT %s
// RUN: %gpuprof diff %t.json %t.json >/dev/null
// CHECK: all right
// REPORT: {{^}} Time line
// REPORT: CPU device 0
// REPORT: in the region{{ +}}step/load
// REPORT: CPU device 0, stream 1
// REPORT: host to device{{ +}}1
// SHORT-NOT: Time line
#include "run.h"
#include <unistd.h>

__global__ void touch(float *p) { p[threadIdx.x] += 1; }

int main() {
  float host[8] = {}, *device;
  cudaStream_t stream;
  OK(cudaMalloc((void **)&device, 32));
  OK(cudaStreamCreate(&stream));
  OK(cudaMemcpy(device, host, 32, cudaMemcpyHostToDevice));
  for (int i = 0; i < 2; i++) {
#pragma gpuprof region("step")
    {
      touch<<<1, 8>>>(device);
#pragma gpuprof region("load")
      { usleep(230000); } // far longer than what a busy machine adds
      touch<<<1, 8, 0, stream>>>(device);
    }
    if (!i)
      usleep(220000);
  }
#pragma gpuprof region("held")
  {
    touch<<<1, 8>>>(device);
    usleep(210000);
    touch<<<1, 8>>>(device);
    usleep(1000);
    touch<<<1, 8>>>(device);
    touch<<<1, 8>>>(device);
  }
  OK(cudaMemset(device, 0, 32));
  OK(cudaDeviceSynchronize());
  return finish();
}
