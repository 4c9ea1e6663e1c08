// Parts of kernels for some threads of each row, selected by comparing threadIdx.x, run as loops over these alone. Results and
// counts equal those on fibers, for every comparison, in blocks of one and two dimensions, around barriers and warp operations.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=split %minicuda -I%S/Inputs -O2 %s -o %t.split %link
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=fibers %minicuda -I%S/Inputs -O2 %s -o %t.fibers %link
// RUN: env GPUPROF_OUTPUT=%t.split.json %t.split > %t.split.out
// RUN: env GPUPROF_OUTPUT=%t.fibers.json %t.fibers > %t.fibers.out
// RUN: diff %t.split.out %t.fibers.out
// RUN: %FileCheck %s < %t.split.out
// RUN: %py %S/Inputs/same_counts.py %t.split.json %t.fibers.json 6
// CHECK: all right
#include "lanes.h"

enum { N = 96 };

// One more comparison each barrier.
__global__ void compare(const float *in, float *out, int low, unsigned high, long wide) {
  __shared__ float s[N];
  int x = threadIdx.x, t = x + blockDim.x * threadIdx.y;
  s[t] = in[t];
  __syncthreads();
  if (x < low)
    s[t] += 1;
  __syncthreads();
  if (threadIdx.x >= high)
    s[t] += 2;
  __syncthreads();
  if (x > low && x <= (int)high)
    s[t] *= 3;
  __syncthreads();
  if (x == 5)
    s[t] = in[0];
  __syncthreads();
  if (wide > x)
    s[t] += 4;
  __syncthreads();
  if (x < low - 100) // nobody
    s[t] = 0;
  __syncthreads();
  out[t] = s[t] + s[(t + 1) % (blockDim.x * blockDim.y)];
}

// Barriers for the remaining threads.
__global__ void rest(const float *in, float *out, int count) {
  __shared__ float s[N];
  int x = threadIdx.x, t = x + blockDim.x * threadIdx.y;
  if (x >= count)
    return;
  s[t] = in[t];
  __syncthreads();
  for (int width = count / 2; width > 0; width /= 2) {
    if (x < width)
      s[t] += s[t + width];
    __syncthreads();
  }
  out[t] = s[t];
}

// Warp operations of the first threads, in whole warps.
__global__ void warps(const float *in, float *out) {
  int t = threadIdx.x;
  float sum = in[t];
  if (t < 64) {
    for (int offset = 16; offset > 0; offset /= 2)
      sum += __shfl_xor_sync(~0u, sum, offset);
    sum += __shfl_up_sync(~0u, sum, 3) + __shfl_down_sync(~0u, sum, 5, 8) + __shfl_sync(~0u, in[t], t + 7);
    sum += __popc(__ballot_sync(~0u, sum > 1 + t));
  }
  __syncthreads();
  out[t] = sum;
}

// Of a warp some have returned: they count as 0.
__global__ void returned(const float *in, float *out) {
  int t = threadIdx.x;
  float sum = in[t];
  out[t] = sum;
  if (t >= 40)
    return;
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(~0u, sum, offset);
  out[t] = sum + __any_sync(~0u, t == 39);
}

// The first warp goes on where some of its lanes have returned, others of the block have not.
__global__ void some_left(const float *in, float *out, int count) {
  __shared__ float s[N];
  int t = threadIdx.x;
  out[t] = -1;
  if (t >= count)
    return;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    float sum = s[t];
    for (int offset = 16; offset > 0; offset /= 2)
      sum += __shfl_down_sync(~0u, sum, offset);
    s[t] = sum + __shfl_sync(0xffu << (t & 24), sum, 1);
  }
  __syncthreads();
  out[t] = s[t];
}

// Threads at one distance, and those of some warps; they use what all have computed before.
__global__ void apart(const float *in, float *out, int low, int high) {
  __shared__ float s[N];
  int x = threadIdx.x, t = x + blockDim.x * threadIdx.y;
  float value = in[t] * 3;
  s[t] = value;
  if (x % 32 == 0)
    s[t] = value + 1;
  __syncthreads();
  value += s[(t + 1) % N];
  __syncthreads();
  if (x % 8 == 3 && x >= low && x < high)
    s[t] = value + 2;
  __syncthreads();
  value += s[(t + 2) % N];
  __syncthreads();
  if (x / 32 == 1)
    s[t] = value + 3;
  __syncthreads();
  value += s[(t + 3) % N];
  __syncthreads();
  if (x / 16 > 0)
    s[t] = value * 2;
  __syncthreads();
  value += s[(t + 4) % N];
  __syncthreads();
  if (x == low)
    s[t] = value + in[0];
  __syncthreads();
  if (x / 8 < 2 && x % 2 == 1)
    s[t] = value;
  __syncthreads();
  if (x % 64 == 40) // nobody in short rows
    s[t] -= value;
  __syncthreads();
  out[t] = s[t] + value;
}

template <int Count> void show(const char *name, Values<float, Count> &values) {
  values.read();
  for (int i = 0; i < Count; i++)
    printf("%s %d %a\n", name, i, values.host[i]);
}

int main() {
  Values<float, N> in, compared, compared_rows, left, left_rows, in_warps, behind, few, many, at_distance, at_distance_rows;
  for (int i = 0; i < N; i++)
    in.host[i] = (float)(i * 7919 % 1009) / 1024;
  in.write();
  compare<<<1, N>>>(in.device, compared.device, 10, 70, 20);
  compare<<<1, dim3(24, 4)>>>(in.device, compared_rows.device, 7, 12, -3);
  rest<<<1, N>>>(in.device, left.device, 40);
  rest<<<1, dim3(16, 6)>>>(in.device, left_rows.device, 10);
  warps<<<1, N>>>(in.device, in_warps.device);
  returned<<<1, N>>>(in.device, behind.device);
  some_left<<<1, N>>>(in.device, few.device, 20);
  some_left<<<1, N>>>(in.device, many.device, 50);
  apart<<<1, N>>>(in.device, at_distance.device, 5, 70);
  apart<<<1, dim3(24, 4)>>>(in.device, at_distance_rows.device, 9, 20);
  show("compared", compared);
  show("compared_rows", compared_rows);
  show("left", left);
  show("left_rows", left_rows);
  show("in_warps", in_warps);
  show("behind", behind);
  show("few", few);
  show("many", many);
  show("at_distance", at_distance);
  show("at_distance_rows", at_distance_rows);
  EXPECT(compared.host[0] != 0 && behind.host[0] != 0);
  return finish();
}
