// -fsanitize=address: tables of the CPU device that grow with the kernels' accesses are no leaks, and a program that ends
// well keeps its exit status and its output: sectors of variables, and requests of warps.
// REQUIRES: asan
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-requests=on -I%S/Inputs -O1 -g -fsanitize=address %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>&1 | %FileCheck --implicit-check-not=LeakSanitizer %s
// RUN: env GPUPROF_OUTPUT=%t.json GPUPROF_SCHEDULE=strict %t >/dev/null
// CHECK: all right
#include "lanes.h"

__device__ float table[4096];

__global__ void add_to(float *out) {
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) {
    table[i] += 1;
    out[(i * 7) % 256] = table[(i * 5) % 4096];
  }
}

int main() {
  Values<float, 256> out;
  add_to<<<2, 64>>>(out.device);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return finish();
}
