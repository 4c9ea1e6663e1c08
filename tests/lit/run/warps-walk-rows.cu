// A warp for each row, whose lanes take turns along it: the index of the warp comes from the index in the grid, signed
// or not, in blocks that warps fill and in others. Lanes side by side in strips give the results, counts and unique
// bytes of threads with a stack each.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=split %minicuda -O2 %s -o %t.split %link
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=fibers %minicuda -O2 %s -o %t.fibers %link
// RUN: env GPUPROF_OUTPUT=%t.split.json %t.split > %t.split.out
// RUN: env GPUPROF_OUTPUT=%t.fibers.json %t.fibers > %t.fibers.out
// RUN: diff %t.split.out %t.fibers.out
// RUN: %FileCheck %s < %t.split.out
// RUN: %py %S/Inputs/same_counts.py %t.split.json %t.fibers.json 4
// RUN: %py %S/Inputs/kernel_has.py %t.split.json along launches=6 bytes.unique=161600
// CHECK: along 2048 {{[1-9]}}
// CHECK: before_zero 33
#include <cuda_runtime.h>
#include <stdio.h>

enum { Rows = 8, Most = 2048, Threads = 100 * 10 };

__global__ void along(const float *a, const float *x, float *out, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= Rows)
    return;
  float sum = 0;
  for (int c = threadIdx.x % 32; c < columns; c += 32)
    sum += a[row * columns + c] * x[c];
  out[i] = sum;
}

/* divisions of signed numbers */
__global__ void of_signed(const float *a, const float *x, float *out, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / 32, lane = i % 32;
  if (row >= Rows)
    return;
  float sum = 0;
  for (int c = lane; c < columns; c += 32)
    sum += a[row * columns + c] + x[c];
  out[i] = sum;
}

/* the first thread of the warp, by a mask */
__global__ void of_first(const float *a, const float *x, float *out, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, first = i & -32;
  if (first >= 32 * Rows)
    return;
  float sum = 0;
  for (int c = i - first; c < columns; c += 32)
    sum += a[first / 32 * columns + c] - x[c];
  out[i] = sum;
}

/* indices below zero round towards it */
__global__ void before_zero(const float *a, const float *x, float *out, int columns, int less) {
  int i = blockIdx.x * blockDim.x + threadIdx.x - less, row = i / 32 + Rows / 2, lane = i % 32;
  float sum = 0;
  for (int c = lane < 0 ? -lane : lane; c < columns; c += 32)
    sum += a[row % Rows * columns + c] * x[c] + lane;
  out[i + less] = sum;
}

int main() {
  float *a, *x, *out;
  cudaMallocManaged(&a, Rows * Most * sizeof *a);
  cudaMallocManaged(&x, Most * sizeof *x);
  cudaMallocManaged(&out, Threads * sizeof *out);
  for (int i = 0; i < Rows * Most; i++)
    a[i] = (float)(i * 7 % 31) / 8;
  for (int i = 0; i < Most; i++)
    x[i] = (float)(i * 5 % 17) / 4;
  auto show = [&](const char *name, int columns) {
    cudaDeviceSynchronize();
    float sum = 0;
    for (int i = 0; i < Threads; i++) {
      sum = sum * 0.998f + out[i];
      out[i] = 0;
    }
    printf("%s %d %.9g %s\n", name, columns, sum, cudaGetErrorString(cudaGetLastError()));
  };
  for (int columns : {int(Most), 77, 33})
    for (int block : {256, 100}) { /* the second one cuts through warps */
      int blocks = (32 * Rows + block - 1) / block;
      along<<<blocks, block>>>(a, x, out, columns);
      show("along", columns);
      of_signed<<<blocks, block>>>(a, x, out, columns);
      show("of_signed", columns);
      of_first<<<blocks, block>>>(a, x, out, columns);
      show("of_first", columns);
      before_zero<<<2, block>>>(a, x, out, columns, 40);
      show("before_zero", columns);
    }
}
