// Variables of the device begin at a sector, wherever a linker places them: unique bytes of a launch are the same in each
// build of a program.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json sum_of bytes.unique=192
// CHECK: all right
#include "lanes.h"

enum { N = 8 };

__device__ float first[N];
__device__ int between[4];
__device__ float second[N];
static __device__ short pieces[3];
__device__ float third[N];
static __device__ float fourth[N] = {1, 2, 3};

__global__ void count() {
  between[0]++;
  fourth[0]++;
  pieces[threadIdx.x]++;
}

// Four variables, the sum, and the two bytes of pieces[0].
__global__ void sum_of(float *out) {
  const int i = threadIdx.x;
  out[i] = first[i] + second[i] + third[i] + fourth[i];
  if (i == 0)
    pieces[0] = 1;
}

int main() {
  Values<float, N> out;
  count<<<1, 1>>>();
  sum_of<<<1, N>>>(out.device);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return finish();
}
