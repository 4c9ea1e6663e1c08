// The address of a device function, fetched by the host from a device variable, is passed to a kernel.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

typedef float (*Function)(float);
static __device__ float square(float x) { return x * x; }
static __device__ float half_of(float x) { return x / 2; }
__device__ Function squared = square, halved = half_of;
__global__ void apply(Function f, float *out) { out[threadIdx.x] = f(threadIdx.x); }

int main() {
  Values<float, 16> a, b;
  Function f, g;
  OK(cudaMemcpyFromSymbol(&f, squared, sizeof f));
  OK(cudaMemcpyFromSymbol(&g, halved, sizeof g));
  apply<<<1, 16>>>(f, a.device);
  apply<<<1, 16>>>(g, b.device);
  a.read(), b.read();
  for (int i = 0; i < 16; i++)
    EXPECT(a.host[i] == i * i && b.host[i] == i / 2.0f);
  return finish();
}
