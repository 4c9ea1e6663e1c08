// Functions called through pointers count for their kernels: virtual ones, those of a table, and one that calls itself.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json areas flops.fp32.mul=640 flops.fp32.add=1280 flops.total=1920
// RUN: %py %S/Inputs/kernel_has.py %t.json of_table flops.fp32.mul=128 special_functions=64 flops.total=128
// RUN: %py %S/Inputs/kernel_has.py %t.json nested flops.fp32.add=960 flops.total=960
// RUN: %py %S/Inputs/kernel_has.py %t.json region:shape flops.fp32.mul=640 flops.fp32.add=1280 flops.total=1920
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -fplugin-arg-gpuprof-count=blocks -O2 %s -o %t.blocks %link
// RUN: env GPUPROF_OUTPUT=%t.blocks.json %t.blocks | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.blocks.json areas flops.fp32.mul=640 flops.fp32.add=1280 flops.total=1920
// RUN: %py %S/Inputs/kernel_has.py %t.blocks.json nested flops.fp32.add=960 flops.total=960
// CHECK: all right
#include "run.h"

#include <new>

struct Shape {
  __device__ virtual float area(float x) const = 0;
};
struct Square : Shape {
  __device__ float area(float x) const override { return x * x; }
};
struct Frame : Shape {
  __device__ float area(float x) const override { return x + 1.0f + x; }
};

__device__ Square square;
__device__ Frame frame;
__device__ Shape *shapes[2];

__global__ void make() {
  shapes[0] = new (&square) Square;
  shapes[1] = new (&frame) Frame;
}

__global__ void areas(float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma gpuprof region("shape")
  a[i] = shapes[i % 2]->area(a[i]);
}

static __device__ float twice(float x) { return x * 3; }
static __device__ float exponent(float x) { return __expf(x); }
__constant__ float (*table[2])(float) = {twice, exponent};
__global__ void of_table(float *a) { a[threadIdx.x] = table[threadIdx.x & 1](a[threadIdx.x]); }

typedef float (*Step)(float *, int);
static __device__ float leaf(float *a, int i) { return a[i]; }
static __device__ float inner(float *a, int depth);
__constant__ Step steps[2] = {leaf, inner};
static __device__ float inner(float *a, int depth) { return steps[depth > 1](a, depth - 1) + 1.0f; }
__global__ void nested(float *a) { a[threadIdx.x] = steps[1](a, 1 + threadIdx.x % 2 * 2); }

int main() {
  static float a[1280];
  for (float &x : a)
    x = 3;
  float *p = to_device(a, 1280);
  make<<<1, 1>>>();
  areas<<<10, 128>>>(p);
  to_host(a, p, 1280);
  EXPECT(a[0] == 9 && a[1] == 7);
  of_table<<<1, 128>>>(p);
  to_host(a, p, 1280);
  EXPECT(a[0] == 27 && a[1] > 1000);
  nested<<<1, 480>>>(p);
  OK(cudaDeviceSynchronize());
  return finish();
}
