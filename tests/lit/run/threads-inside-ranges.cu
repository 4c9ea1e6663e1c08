// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of a long row most threads meet the guards of its accesses, and run in a loop without them; the few others run behind it. Results
// and counts equal those on fibers, wherever the others are: at the start, at the end, at both, none, or too many.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=split %minicuda -I%S/Inputs -O2 %s -o %t.split %link
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=fibers %minicuda -I%S/Inputs -O2 %s -o %t.fibers %link
// RUN: env GPUPROF_OUTPUT=%t.split.json %t.split > %t.split.out
// RUN: env GPUPROF_OUTPUT=%t.fibers.json %t.fibers > %t.fibers.out
// RUN: diff %t.split.out %t.fibers.out
// RUN: %FileCheck %s < %t.split.out
// RUN: %py %S/Inputs/same_counts.py %t.split.json %t.fibers.json 4
// CHECK: all right
#include "lanes.h"

enum { N = 512 };

// Between two bounds, with work for all threads.
__global__ void between(const float *in, float *out, int low, int high) {
  int x = threadIdx.x, i = x + blockDim.x * threadIdx.y;
  float v = 1;
  if (x >= low && x < high)
    v = in[i] * 3;
  out[i] = v + x;
}

// Two ranges: most threads are in both.
__global__ void both(const float *in, float *out, int low, int high) {
  int x = threadIdx.x;
  float v = 0;
  if (x > low)
    v += in[x];
  if (x <= high)
    v += in[N - 1 - x];
  if (x != 0)
    out[x] = v;
}

__global__ void plane(const float *in, float *out, int width, int height) {
  int x = threadIdx.x, y = threadIdx.y, i = y * width + x;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
    out[i] += in[i - 1] + in[i + 1] + in[i - width] + in[i + width];
}

// Behind a barrier, of a value kept across it.
__global__ void behind(const float *in, float *out, int low, unsigned high) {
  __shared__ float s[N];
  int x = threadIdx.x;
  float own = in[x];
  s[x] = own;
  __syncthreads();
  if (x >= low && threadIdx.x < high)
    out[x] = own + s[N - 1 - x];
}

int main() {
  Values<float, N> in, out;
  for (int i = 0; i < N; i++)
    in.host[i] = (float)(i * 7919 % 1009) / 1024;
  in.write();
  for (int low : {-1, 0, 1, 3, 40})
    for (int high : {0, 2, 60, 125, 127, 128, 500, 511, 512, 600}) {
      between<<<1, dim3(128, 4)>>>(in.device, out.device, low, high);
      out.read();
      for (float v : out.host)
        printf("%a\n", v);
      both<<<1, N>>>(in.device, out.device, low, high);
      behind<<<1, N>>>(in.device, out.device, low, high);
      plane<<<1, dim3(128, 4)>>>(in.device, out.device, high < 128 ? high : 128, 4);
      out.read();
      for (float v : out.host)
        printf("%a\n", v);
    }
  return finish();
}
