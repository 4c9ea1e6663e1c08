// Static and dynamic shared memory with barriers; the counts do not depend on how many workers there are.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json sum counts threads=2560 flops.fp32.add=2550 bytes.global.load=10240 bytes.global.store=40 bytes.shared.load=20440 bytes.shared.store=20440
// RUN: env GPUPROF_CPU_WORKERS=1 GPUPROF_OUTPUT=%t.1.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.1.json sum counts threads=2560 flops.fp32.add=2550 bytes.global.load=10240 bytes.global.store=40 bytes.shared.load=20440 bytes.shared.store=20440
// RUN: env GPUPROF_CPU_WORKERS=7 GPUPROF_OUTPUT=%t.7.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.7.json sum counts threads=2560 flops.fp32.add=2550 bytes.global.load=10240 bytes.global.store=40 bytes.shared.load=20440 bytes.shared.store=20440
// CHECK: all right
#include "run.h"

__global__ void sum(const float *a, float *out) {
  __shared__ float part[256];
  int t = threadIdx.x;
  part[t] = a[blockIdx.x * 256 + t];
  __syncthreads();
  for (int half = 128; half; half /= 2) {
    if (t < half)
      part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = part[0];
}

__global__ void reverse(int *a) {
  extern __shared__ int both[];
  __shared__ int offset;
  int n = blockDim.x, t = threadIdx.x;
  both[n - 1 - t] = a[blockIdx.x * n + t];
  if (t == 0)
    offset = 100 * blockIdx.x;
  __syncthreads();
  a[blockIdx.x * n + t] = both[t] + offset;
}

int main() {
  static float a[2560], s[10];
  static int r[300];
  for (int i = 0; i < 2560; i++)
    a[i] = i % 5;
  for (int i = 0; i < 300; i++)
    r[i] = i;
  float *x = to_device(a, 2560), *y = to_device(s, 10);
  int *z = to_device(r, 300);
  sum<<<10, 256>>>(x, y);
  reverse<<<3, 100, 100 * sizeof(int)>>>(z);
  OK(cudaDeviceSynchronize());
  to_host(s, y, 10);
  to_host(r, z, 300);
  for (int b = 0; b < 10; b++) {
    float expected = 0;
    for (int i = 0; i < 256; i++)
      expected += a[b * 256 + i];
    EXPECT(s[b] == expected);
  }
  for (int i = 0; i < 300; i++)
    EXPECT(r[i] == i / 100 * 100 + 99 - i % 100 + 100 * (i / 100));
  return finish();
}
