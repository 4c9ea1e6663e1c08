// gpuprof run --counts-only runs no kernel: address clones find the unique bytes of launches of any size, without their memory.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-count=clone -fplugin-arg-gpuprof-unique=on -O2 %s -o %t %link
// RUN: %gpuprof run --counts-only -o %t.json -- %t | %FileCheck %s
// RUN: %py %S/../run/Inputs/kernel_has.py %t.json scale launches=2 bytes.unique=1600000064
// CHECK: untouched
#include <cstdio>

__global__ void scale(float *x, long n, float factor) {
  long begin = blockIdx.x * 1000000l;
  for (long i = begin; i < begin + 1000000l && i < n; ++i)
    x[i] *= factor;
}

int main() {
  float *x, value = 7.0f;
  cudaMalloc(&x, 64);
  cudaMemcpy(x, &value, sizeof value, cudaMemcpyHostToDevice);
  for (int i = 0; i < 2; ++i)
    scale<<<201, 1>>>(x, 200000008, 2.0f); // 800,000,032 bytes
  cudaMemcpy(&value, x, sizeof value, cudaMemcpyDeviceToHost);
  puts(value == 7.0f && cudaGetLastError() == cudaSuccess ? "untouched" : "touched");
}
