// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guards for one column, row or layer of a block, alone or with any other condition, run as loops over these threads alone.
// Results and counts equal those on fibers, around barriers, in loops, behind returns, and where indices wrap around.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=split %minicuda -I%S/Inputs -O2 %s -o %t.split %link
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=fibers %minicuda -I%S/Inputs -O2 %s -o %t.fibers %link
// RUN: env GPUPROF_OUTPUT=%t.split.json %t.split > %t.split.out
// RUN: env GPUPROF_OUTPUT=%t.fibers.json %t.fibers > %t.fibers.out
// RUN: diff %t.split.out %t.fibers.out
// RUN: %FileCheck %s < %t.split.out
// RUN: %py %S/Inputs/same_counts.py %t.split.json %t.fibers.json 4
// CHECK: all right
#include "lanes.h"

#include <limits.h>

enum { N = 512, Tile = 8 };

// A tile with its halo: `first` may wrap around within a row.
__global__ void halo(const float *in, float *out, int first, int end) {
  __shared__ float tile[Tile + 2][Tile + 2];
  int tx = threadIdx.x, ty = threadIdx.y, x = (int)((unsigned)first + tx), y = (int)((unsigned)first + ty);
  int t = (ty * Tile + tx) % N;
  for (int i = t; i < (Tile + 2) * (Tile + 2); i += Tile * Tile)
    tile[i / (Tile + 2)][i % (Tile + 2)] = 0;
  __syncthreads();
  tile[ty + 1][tx + 1] = in[t];
  if (tx == 0 && x > 0)
    tile[ty + 1][0] = in[t] + 1;
  if (tx == Tile - 1 && x < end)
    tile[ty + 1][Tile + 1] = in[t] + 2;
  if (ty == 0 && y > 0)
    tile[0][tx + 1] = in[t] + 3;
  if (ty == Tile - 1 && y < end)
    tile[Tile + 1][tx + 1] = in[t] + 4;
  if (tx == 0 && ty == 0 && in[t] > 0.25f)
    tile[0][0] = in[t];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      sum += tile[ty + i][tx + j] * (1 + i + 3 * j);
  out[t] = sum;
}

// Rows and layers, other numbers of threads than the guards name, and values computed by all threads.
__global__ void layers(const float *in, float *out) {
  __shared__ float s[N];
  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  float own = in[t] * 3;
  s[t] = own;
  __syncthreads();
  if (threadIdx.z == 1)
    s[t] += own;
  if (threadIdx.z == 1 && threadIdx.y == 2 && threadIdx.x < 3)
    s[t] += 2 * own;
  if (threadIdx.y >= 2)
    s[t] *= own;
  if (threadIdx.z == 7) // in some blocks nobody
    s[t] = 0;
  if (threadIdx.y == 1 && own > 1)
    s[t] -= 1;
  __syncthreads();
  out[t] = s[t] + s[(t + 1) % (blockDim.x * blockDim.y * blockDim.z)];
}

// In a loop with barriers, behind a return of some threads.
__global__ void loops(const float *in, float *out, int count) {
  __shared__ float s[N];
  int t = threadIdx.x + blockDim.x * threadIdx.y;
  s[t] = 0;
  if (threadIdx.x >= count)
    return;
  for (int i = 0; i < 4; i++) {
    if (threadIdx.y == i && in[t] > 0.1f * i)
      s[t] += in[t];
    if (threadIdx.y == 1)
      s[t] += i;
    if (threadIdx.x == 2 && i % 2)
      s[t] *= 2;
    __syncthreads();
  }
  out[t] = s[t];
}

// Warp operations behind guards of rows.
__global__ void warps(const float *in, float *out) {
  int t = threadIdx.x + blockDim.x * threadIdx.y;
  float sum = in[t];
  if (threadIdx.y == 1) {
    for (int distance = 16; distance; distance /= 2)
      sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    out[t] = sum;
  }
  if (threadIdx.x == 0 && sum > 1)
    out[t] += 1;
  __syncthreads();
  if (threadIdx.y == 0)
    out[t] = sum + 2;
}

int main() {
  static float start[N];
  for (int i = 0; i < N; i++)
    start[i] = (i * 37 % 64) / 64.0f;
  float *in = to_device(start, N);
  static const float none[N] = {};
  auto print = [&](float *out) {
    static float host[N];
    OK(cudaDeviceSynchronize());
    to_host(host, out, N);
    for (int i = 0; i < N; i++)
      printf("%g%c", host[i], i % 16 == 15 ? '\n' : ' ');
  };
  for (int first : {0, 1, -3, 100, INT_MAX - 3, INT_MIN})
    for (int end : {3, 200, INT_MAX}) {
      float *out = to_device(none, N);
      halo<<<1, dim3(Tile, Tile)>>>(in, out, first, end);
      print(out);
    }
  for (dim3 block : {dim3(8, 4, 2), dim3(5, 3, 3), dim3(2, 2, 10), dim3(64, 1, 1)}) {
    float *out = to_device(none, N);
    layers<<<1, block>>>(in, out);
    print(out);
  }
  for (int count : {0, 1, 3, 20}) {
    float *out = to_device(none, N);
    loops<<<1, dim3(16, 4)>>>(in, out, count);
    print(out);
  }
  float *out = to_device(none, N);
  warps<<<1, dim3(32, 3)>>>(in, out);
  print(out);
  return finish();
}
