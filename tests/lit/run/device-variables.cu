// __device__ and __constant__ variables with initial values, copied to and from by name.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json scale bytes.constant.load=256 bytes.global.atomic=256
// CHECK: all right
#include "run.h"

__constant__ float factors[4] = {1, 2, 3, 4};
__device__ int calls = 5;
__device__ float table[8];
template <class T> __device__ T doubled(T x) { return x + x; }

__global__ void scale(float *a) {
  int t = threadIdx.x;
  a[t] *= doubled(factors[t % 4]);
  atomicAdd(&calls, 1);
  if (t < 8)
    table[t] = a[t];
}

int main() {
  float a[32], host[8];
  for (int i = 0; i < 32; i++)
    a[i] = i;
  float *x = to_device(a, 32);
  scale<<<1, 32>>>(x);
  float other[4] = {10, 10, 10, 10};
  OK(cudaMemcpyToSymbol(factors, other, 2 * sizeof(float), 2 * sizeof(float)));
  scale<<<1, 32>>>(x);
  int count = 0;
  OK(cudaMemcpyFromSymbol(&count, calls, sizeof count));
  EXPECT(count == 69);
  to_host(a, x, 32);
  const float expected[4] = {4, 16, 120, 160};
  for (int i = 0; i < 32; i++)
    EXPECT(a[i] == i * expected[i % 4]);
  void *address;
  size_t bytes;
  OK(cudaGetSymbolAddress(&address, table));
  OK(cudaGetSymbolSize(&bytes, table));
  EXPECT(bytes == sizeof host);
  OK(cudaMemcpy(host, address, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[3] == a[3]);
  EXPECT(cudaMemcpyToSymbol(factors, other, 17) == cudaErrorInvalidValue);
  return finish();
}
