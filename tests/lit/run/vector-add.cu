// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json add counts launches=1 threads=1024 flops.fp32.add=1000 flops.total=1000 bytes.global.load=8000 bytes.global.store=4000 bytes.unique=12000
// CHECK: all right
#include "run.h"

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main() {
  enum { N = 1000 };
  static float a[N], b[N], c[N];
  for (int i = 0; i < N; i++) {
    a[i] = i;
    b[i] = 2 * i;
  }
  float *x = to_device(a, N), *y = to_device(b, N), *z = to_device(c, N);
  add<<<(N + 127) / 128, 128>>>(x, y, z, N);
  OK(cudaGetLastError());
  OK(cudaDeviceSynchronize());
  to_host(c, z, N);
  for (int i = 0; i < N; i++)
    EXPECT(c[i] == 3.0f * i);
  return finish();
}
