// A pointer to a managed variable is one of managed memory, for copies and fills, too; a pointer to a device variable is not.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

__managed__ int managed[4] = {1, 2, 3, 4};
__device__ int plain[4];

__global__ void add() { managed[threadIdx.x] += 10, plain[threadIdx.x] = 1; }

int main() {
  int host[4];
  void *address;
  cudaPointerAttributes attributes;
  add<<<1, 4>>>();
  OK(cudaDeviceSynchronize());
  EXPECT(managed[0] == 11);
  OK(cudaMemcpy(host, managed, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[3] == 14);
  OK(cudaPointerGetAttributes(&attributes, managed));
  EXPECT(attributes.type == cudaMemoryTypeManaged && attributes.hostPointer == managed);
  OK(cudaGetSymbolAddress(&address, plain));
  OK(cudaPointerGetAttributes(&attributes, address));
  EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.hostPointer == nullptr);
  OK(cudaMemset(managed, 0, sizeof host));
  EXPECT(managed[2] == 0);
  return finish();
}
