// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unique bytes of accesses that depend on threadIdx.x and y: recorded once for a plane of threads, they equal those recorded
// thread by thread (schedule strict). Rows overlap, lie apart, run upwards or backwards, end at guards, and indices wrap around.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O3 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: env GPUPROF_SCHEDULE=strict GPUPROF_OUTPUT=%t.strict.json %t | %FileCheck %s
// RUN: %py %S/Inputs/same_counts.py %t.json %t.strict.json 6
// CHECK: all right
#include "lanes.h"

#include <limits.h>

enum { Elements = 1 << 16, Middle = Elements / 2 };

// Any pitch: rows of the plane overlap, or have gaps.
__global__ void rows(const float *in, float *out, int pitch) {
  int x = threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y + threadIdx.z;
  out[y * pitch + x] = in[y * pitch - 2 * x];
}

// The inner points of a plane, with a neighbour each way.
__global__ void inner(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * width + x;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
    out[i] = in[i - 1] + in[i + 1] + in[i - width] + in[i + width];
}

// Guards of rows of all kinds.
__global__ void guards(float *out, unsigned width, int bound) {
  unsigned x = threadIdx.x;
  int y = threadIdx.y + bound;
  if (x < width && y != bound + 2)
    out[256 * threadIdx.y + 8 * x] = 1;
  if (y >= 3)
    out[256 * threadIdx.y + 8 * x + 4096] = 1;
  if (y == bound)
    out[8192 + 8 * x] = 1;
  if (x == 5 && y > bound)
    out[9000 + 64 * threadIdx.y] = 1;
}

// The index wraps around between two rows, or within one.
__global__ void wraps(float *out, unsigned first, unsigned pitch) {
  unsigned i = first + threadIdx.y * pitch + threadIdx.x;
  out[(unsigned long)i >> 20] = 1; // no constant step
  out[i % 1024 + threadIdx.y] = 1;
  if ((int)i > 0)
    out[2048 + 8 * (threadIdx.y * 32 + threadIdx.x)] = 1;
}

// Addresses that wrap around in 32 bits.
__global__ void wrapping_index(float *middle, int first, int pitch) {
  int i = (int)((unsigned)first + threadIdx.y * (unsigned)pitch + threadIdx.x);
  middle[(long)i - first < 0 ? 0 : 8 * ((long)i - first) % Middle] = 1;
  float *at = middle - (long)(unsigned)first;
  unsigned j = (unsigned)first + threadIdx.y * 16 + threadIdx.x;
  if (j >= (unsigned)first)
    at[j] = 2;
}

// The product of both indices is no plane.
__global__ void products(float *out) { out[threadIdx.x * threadIdx.y] = 1; }

int main() {
  static const float start[Elements] = {};
  float *in = to_device(start, Elements), *out = to_device(start, Elements);
  const int pitches[] = {0, 1, 7, 8, 31, 40, 333, 512, -5, -512};
  for (int pitch : pitches)
    rows<<<dim3(1, 2), dim3(20, 5, 2)>>>(in + Middle, out + Middle, pitch);
  const dim3 blocks[] = {dim3(32, 8), dim3(16, 16), dim3(7, 3), dim3(64, 1), dim3(1, 64)};
  for (dim3 block : blocks)
    for (int width : {1, 16, 65, 128})
      inner<<<dim3(128 / block.x + 1, 70 / block.y + 1), block>>>(in, out, width, 70);
  for (unsigned width : {0u, 5u, 16u, 100u})
    for (int bound : {0, 1, -3, INT_MAX - 3, INT_MIN})
      guards<<<1, dim3(16, 8)>>>(out, width, bound);
  for (unsigned first : {0u, 1000u, UINT_MAX - 5, UINT_MAX - 40, (unsigned)INT_MAX - 20})
    for (unsigned pitch : {1u, 16u, 1u << 28, 1u << 31})
      wraps<<<1, dim3(16, 4)>>>(out, first, pitch);
  for (int first : {0, 77, -20, INT_MAX - 9, INT_MIN})
    wrapping_index<<<1, dim3(16, 4)>>>(out, first, 32);
  products<<<1, dim3(16, 16)>>>(out);
  OK(cudaDeviceSynchronize());
  return finish();
}
