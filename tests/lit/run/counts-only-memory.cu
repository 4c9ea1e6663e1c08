// Without kernels nothing reads fresh memory: with counts alone it is not filled, so that programs larger than the machine can be counted.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-count=clone -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json GPUPROF_COUNTS_ONLY=1 %t | %FileCheck %s
// CHECK: less than 64 MB
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck --check-prefix=FILLED %s
// FILLED: more than 64 MB
#include <stdio.h>
#include <sys/resource.h>

__global__ void twice(float *x) { x[threadIdx.x] *= 2; }

int main() {
  float *x;
  struct rusage usage;
  if (cudaMalloc(&x, 200 << 20) != cudaSuccess)
    return 1;
  twice<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  getrusage(RUSAGE_SELF, &usage);
  puts(usage.ru_maxrss < 64 << 10 ? "less than 64 MB" : "more than 64 MB");
  return 0;
}
