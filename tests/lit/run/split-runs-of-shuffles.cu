// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles that follow one another keep a warp's values in vectors, with the results and counts of a stack for each
// thread: of whole and partial warps, rows that are no multiple of a warp, segments, flags and two words, one warp of a
// block, and a warp whose other lanes have returned.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=split %minicuda -I%S/Inputs -O2 %s -o %t.split %link
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=fibers %minicuda -I%S/Inputs -O2 %s -o %t.fibers %link
// RUN: env GPUPROF_OUTPUT=%t.split.json %t.split > %t.split.out
// RUN: env GPUPROF_OUTPUT=%t.fibers.json %t.fibers > %t.fibers.out
// RUN: diff %t.split.out %t.fibers.out
// RUN: %FileCheck %s < %t.split.out
// RUN: %py %S/Inputs/same_counts.py %t.split.json %t.fibers.json 6
// CHECK: all right
#include "lanes.h"

enum { Most = 256 };

__device__ int number() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

// By threadIdx.x: a lane's number only where rows are whole warps.
__global__ void scan(const float *in, float *out) {
  float sum = in[number()];
  for (int distance = 1; distance < 32; distance *= 2) {
    float other = __shfl_up_sync(~0u, sum, distance);
    if (threadIdx.x % 32 >= distance)
      sum += other;
  }
  out[number()] = sum + threadIdx.y + 16 * threadIdx.z;
}

__global__ void exchange(const float *in, float *out) {
  float sum = in[number()], most = sum;
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(~0u, sum, distance);
    most = fmaxf(most, __shfl_xor_sync(~0u, most, distance));
  }
  out[number()] = sum * most + threadIdx.z;
}

// Segments of 8 lanes, two words, flags, one lane's value for all, and a store between.
__global__ void segments(const float *in, float *out) {
  const int n = number();
  double d = in[n];
  d += __shfl_down_sync(~0u, d, 3, 8);
  d += __shfl_up_sync(~0u, d, 2, 16);
  const bool more = __shfl_xor_sync(~0u, d > 1.0, 9);
  out[n] = more;
  const int first = __shfl_sync(~0u, n, 5), rotated = __shfl_sync(~0u, n, 3, 8);
  out[n] += float(d) + first * 2 + rotated;
}

// Sums of the warps, then of the first warp alone.
__global__ void blocks(const float *in, float *out) {
  __shared__ float part[32];
  float sum = in[number()];
  for (int distance = 1; distance < 32; distance *= 2)
    sum += __shfl_down_sync(~0u, sum, distance);
  if (number() % 32 == 0)
    part[number() / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < (blockDim.x + 31) / 32 ? part[threadIdx.x] : 0.0f;
    for (int distance = 1; distance < 32; distance *= 2) {
      float other = __shfl_up_sync(~0u, sum, distance);
      if (threadIdx.x >= distance)
        sum += other;
    }
    part[threadIdx.x] = sum;
  }
  __syncthreads();
  if (threadIdx.x / 32 > 0)
    sum += part[threadIdx.x / 32 - 1];
  out[number()] = sum;
}

// The last warp's other lanes have returned: they give 0.
__global__ void returned(const float *in, float *out, int count) {
  if (threadIdx.x >= count)
    return;
  float sum = in[threadIdx.x];
  for (int distance = 1; distance < 32; distance *= 2)
    sum += __shfl_down_sync(~0u, sum, distance);
  out[threadIdx.x] = sum;
}

// Values of a loop around, and a warp in two.
__global__ void turns(const float *in, float *out, int count) {
  float sum = in[number()];
  for (int i = 0; i < count; ++i) {
    float next = sum * 0.5f;
    next += __shfl_xor_sync(~0u, next, 1);
    next -= __shfl_up_sync(~0u, next, 2) * 0.25f;
    if (number() / 64 % 2 == 0)
      sum = next + __shfl_down_sync(~0u, next, 1) + __shfl_sync(~0u, sum, i);
  }
  out[number()] = sum;
}

template <int N> void show(const char *name, Values<float, N> &values, int count) {
  values.read();
  for (int i = 0; i < count; i++)
    printf("%s %d %a\n", name, i, values.host[i]);
}

int main() {
  Values<float, Most> in, out;
  for (int i = 0; i < Most; i++)
    in.host[i] = (float)(i * 7919 % 1009) / 1024;
  in.write();
  const dim3 shapes[] = {dim3(256), dim3(32), dim3(100), dim3(7), dim3(64, 2), dim3(16, 9), dim3(20, 3, 2)};
  for (const dim3 &shape : shapes) {
    const int count = shape.x * shape.y * shape.z;
    scan<<<1, shape>>>(in.device, out.device);
    show("scan", out, count);
    exchange<<<1, shape>>>(in.device, out.device);
    show("exchange", out, count);
    segments<<<1, shape>>>(in.device, out.device);
    show("segments", out, count);
    turns<<<1, shape>>>(in.device, out.device, 4);
    show("turns", out, count);
  }
  for (int threads : {32, 96, 250, 256}) {
    blocks<<<1, threads>>>(in.device, out.device);
    show("blocks", out, threads);
  }
  for (int count : {1, 40, 64, 150}) {
    returned<<<1, 160>>>(in.device, out.device, count);
    show("returned", out, count);
  }
  printf("all right\n");
}
