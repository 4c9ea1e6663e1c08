// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks side by side along x run as one row if their threads use nothing but their index in the grid. Results, counts and
// unique bytes equal those on fibers: of guards, loops, planes, atomics, and of kernels that use the block or the thread alone.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=split %minicuda -I%S/Inputs -O2 %s -o %t.split %link
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=fibers %minicuda -I%S/Inputs -O2 %s -o %t.fibers %link
// RUN: env GPUPROF_OUTPUT=%t.split.json %t.split > %t.split.out
// RUN: env GPUPROF_OUTPUT=%t.fibers.json %t.fibers > %t.fibers.out
// RUN: diff %t.split.out %t.fibers.out
// RUN: %FileCheck %s < %t.split.out
// RUN: %py %S/Inputs/same_counts.py %t.split.json %t.fibers.json 8
// CHECK: all right
#include "lanes.h"

enum { N = 1 << 13 };

__global__ void guarded(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * 2;
}

__global__ void strided(const float *in, float *out, long n) {
  for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x)
    out[i] = in[i] + 1;
}

__global__ void plane(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * width + x;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
    out[i] = in[i - 1] + in[i + 1] + in[i - width] + in[i + width];
}

__global__ void steps(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = in[i];
  for (int step = 0; step < 5; step++)
    v = v > 0.5f ? v - 0.375f : v * 1.5f;
  out[i] = v;
}

__global__ void histogram(const float *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&out[(int)(in[i] * 7)], 1);
}

// Not merged.
__global__ void of_block(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + blockIdx.x;
}

__global__ void of_thread(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && threadIdx.x != 3)
    out[i] = in[i] * 3;
}

__global__ void in_shared(const float *in, float *out, int n) {
  __shared__ float own[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float *mine = own + i % 64;
  *mine = i < n ? in[i] : 0;
  out[i] = *mine;
}

template <class T> void show(const char *name, Values<T, N> &values) {
  values.read();
  for (int i = 0; i < N; i++)
    printf("%s %d %a\n", name, i, (double)values.host[i]);
}

int main() {
  Values<float, N> in, out[7];
  Values<int, N> counted;
  for (int i = 0; i < N; i++)
    in.host[i] = (float)(i * 7919 % 1009) / 1024;
  in.write();
  guarded<<<N / 64, 64>>>(in.device, out[0].device, N - 77);
  guarded<<<33, 7>>>(in.device, out[0].device, 200);
  strided<<<40, 50>>>(in.device, out[1].device, N - 5);
  plane<<<dim3(8, 8), dim3(16, 8)>>>(in.device, out[2].device, 128, 64);
  plane<<<dim3(5, 20), dim3(20, 3)>>>(in.device, out[2].device, 97, 55);
  steps<<<N / 128, 128>>>(in.device, out[3].device, N - 1);
  histogram<<<N / 32, 32>>>(in.device, counted.device, N);
  of_block<<<N / 64, 64>>>(in.device, out[4].device, N);
  of_thread<<<N / 64, 64>>>(in.device, out[5].device, N);
  in_shared<<<N / 64, 64>>>(in.device, out[6].device, N);
  for (Values<float, N> &values : out)
    show("out", values);
  show("counted", counted);
  EXPECT(out[0].host[0] == in.host[0] * 2 && out[4].host[N - 1] == in.host[N - 1] + N / 64 - 1);
  return finish();
}
