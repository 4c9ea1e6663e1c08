// A matrix instruction reached by less than all 32 threads of a warp is an error, not a wrong result.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: grep 'a matrix instruction needs all 32 threads of its warp: warp 1 has 16 threads, of which 0 have returned' %t.err
// RUN: grep 'a matrix instruction needs all 32 threads of its warp: warp 0 has 32 threads, of which 2 have returned' %t.err
// CHECK: all right
#include "lanes.h"

__global__ void multiply(float *out, int leaving) {
  if (threadIdx.x < leaving)
    return;
  float d[2] = {};
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%2}, {%2}, {%2,%2};"
               : "=r"((unsigned &)d[0]), "=r"((unsigned &)d[1])
               : "r"(0));
  out[threadIdx.x] = d[0];
}

int main() {
  Values<float, 64> out;
  multiply<<<1, 64>>>(out.device, 0);
  OK(cudaDeviceSynchronize());
  multiply<<<1, 48>>>(out.device, 0);
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  OK(cudaDeviceReset());
  multiply<<<1, 32>>>(out.device, 2);
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  return finish();
}
