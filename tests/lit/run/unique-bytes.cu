// Unique bytes are 32 for every sector touched at least once in a launch: over blocks, and afresh in each launch.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json strided launches=1 bytes.unique=4096 bytes.global.load=512
// RUN: %py %S/Inputs/kernel_has.py %t.json again launches=2 bytes.unique=8192 bytes.global.load=524288
// RUN: %py %S/Inputs/kernel_has.py %t.json variable launches=1 bytes.unique=128
// CHECK: all right
#include "run.h"

__device__ __align__(32) float inside[32];

__global__ void strided(const float *a, float *out) {
  float x = a[threadIdx.x * 8]; /* one float of each of 128 sectors */
  if (x < 0)
    out[0] = x;
}

__global__ void again(const float *a, float *out) {
  float x = a[threadIdx.x] + a[1023 - threadIdx.x];
  if (x < 0)
    out[0] = x;
}

__global__ void variable() { inside[threadIdx.x] = threadIdx.x; }

int main() {
  static float a[1024];
  float *x = to_device(a, 1024), *y = to_device(a, 8);
  strided<<<1, 128>>>(x, y);
  for (int i = 0; i < 2; i++)
    again<<<32, 1024>>>(x, y);
  variable<<<1, 32>>>();
  OK(cudaDeviceSynchronize());
  return finish();
}
