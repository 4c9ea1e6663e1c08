// Managed memory is read and written by both sides.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

__global__ void twice(int *p) { p[threadIdx.x] *= 2; }

int main() {
  int *p;
  OK(cudaMallocManaged(&p, 64 * sizeof(int)));
  for (int i = 0; i < 64; i++)
    p[i] = i;
  twice<<<1, 64>>>(p);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; i++)
    EXPECT(p[i] == 2 * i);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, p));
  EXPECT(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == p &&
         attributes.hostPointer == p);
  OK(cudaFree(p));
  return finish();
}
