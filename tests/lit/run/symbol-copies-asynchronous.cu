// Copies to and from symbols in a stream, at an offset.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

__device__ int numbers[4];
__global__ void twice() { numbers[threadIdx.x] *= 2; }

int main() {
  cudaStream_t stream;
  int in[2] = {5, 6}, out[4] = {};
  OK(cudaStreamCreate(&stream));
  OK(cudaMemcpyToSymbolAsync(numbers, in, sizeof in, sizeof(int), cudaMemcpyHostToDevice, stream));
  twice<<<1, 4, 0, stream>>>();
  OK(cudaMemcpyFromSymbolAsync(out, numbers, sizeof out, 0, cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  EXPECT(out[0] == 0 && out[1] == 10 && out[2] == 12 && out[3] == 0);
  EXPECT(cudaMemcpyToSymbol(numbers, in, sizeof in, 3 * sizeof(int)) == cudaErrorInvalidValue);
  return finish();
}
