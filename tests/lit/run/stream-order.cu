// Work given to one stream happens in its order, copies and memsets included.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void add(int *p, int v) { p[threadIdx.x] += v; }

int main() {
  Values<int, 32> p;
  int host[32];
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  OK(cudaMemsetAsync(p.device, 0, sizeof host, stream));
  add<<<1, 32, 0, stream>>>(p.device, 5);
  OK(cudaMemcpyAsync(host, p.device, sizeof host, cudaMemcpyDeviceToHost, stream));
  add<<<1, 32, 0, stream>>>(p.device, 6);
  OK(cudaStreamSynchronize(stream));
  OK(cudaStreamQuery(stream));
  p.read();
  for (int i = 0; i < 32; i++)
    EXPECT(host[i] == 5 && p.host[i] == 11);
  OK(cudaStreamDestroy(stream));
  return finish();
}
