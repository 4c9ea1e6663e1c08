// -g -fsanitize=address: variables of a kernel with an array of its own have debug records in each function made of the
// kernel, which LLVM's code generation does not take if they share identifiers.
// REQUIRES: asan
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -g -fsanitize=address %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: env GPUPROF_OUTPUT=%t.json GPUPROF_SCHEDULE=strict %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

enum { N = 64 };

__global__ void sum_of(const float *x, float *out, int n) {
  float values[16];
  for (int i = 0; i < 16; i++)
    values[(i * n) & 15] = x[i];
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += values[(i * 7 + threadIdx.x) & 15];
  out[threadIdx.x] = sum;
}

int main() {
  Values<float, N> x, out;
  sum_of<<<2, N>>>(x.device, out.device, 9);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  out.read();
  for (int i = 0; i < N; i++)
    EXPECT(out.host[i] == 0);
  return finish();
}
