// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first of several blocks side by side records accesses of all, if their addresses follow the index in the grid. Unique bytes,
// counts and results equal those on fibers: with guards, widths that are constants or not those of the launch, offsets of the
// thread or the block alone, blocks that go other ways, and grids of rows.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=split %minicuda -I%S/Inputs -O3 %s -o %t.split %link
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=fibers %minicuda -I%S/Inputs -O3 %s -o %t.fibers %link
// RUN: env GPUPROF_OUTPUT=%t.split.json %t.split > %t.split.out
// RUN: env GPUPROF_CPU_WORKERS=1 GPUPROF_OUTPUT=%t.one.json %t.split > %t.one.out
// RUN: env GPUPROF_OUTPUT=%t.fibers.json %t.fibers > %t.fibers.out
// RUN: diff %t.split.out %t.fibers.out
// RUN: diff %t.one.out %t.fibers.out
// RUN: %FileCheck %s < %t.split.out
// RUN: %py %S/Inputs/same_counts.py %t.split.json %t.fibers.json 7
// RUN: %py %S/Inputs/same_counts.py %t.one.json %t.fibers.json 7
// CHECK: all right
#include "lanes.h"

enum { N = 1 << 13, Most = 256 };

__global__ void line(const float *in, float *out, int n) {
  __shared__ float s[Most];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n - 3)
    out[i] = s[t] + s[blockDim.x - 1 - t];
}

// Blocks are 16 wide, or not.
__global__ void tile(const float *in, float *out, int width, int height) {
  __shared__ float s[Most];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  s[t] = in[y * width + x];
  __syncthreads();
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
    out[y * width + x] = s[t] + s[blockDim.x * blockDim.y - 1 - t];
}

// Gaps between the accesses of threads, and between those of blocks.
__global__ void gaps(const float *in, float *out) {
  __shared__ float s[Most];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  s[t] = in[10 * i];
  __syncthreads();
  out[i + 16 * blockIdx.x] = s[blockDim.x - 1 - t];
}

__global__ void some_blocks(const float *in, float *out, int every) {
  __shared__ float s[Most];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (blockIdx.x % every == 1) {
    s[t] = in[i];
    __syncthreads();
  }
  out[i] = s[blockDim.x - 1 - t];
}

__global__ void in_turns(const float *in, float *out, int turns) {
  __shared__ float s[Most];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  float sum = 0;
  for (int turn = 0; turn < turns; turn++) {
    s[t] = in[i + 512 * turn];
    __syncthreads();
    sum += s[blockDim.x - 1 - t];
    __syncthreads();
  }
  out[i] = sum;
}

// The width of rows comes from memory, one for each block.
__global__ void places(const int *first, const float *in, float *out) {
  __shared__ float s[Most];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[first[blockIdx.x] + t];
  __syncthreads();
  out[i] = s[blockDim.x - 1 - t];
}

__global__ void backwards(const float *in, float *out, int n) {
  __shared__ float s[Most];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  s[t] = in[n - 1 - i];
  __syncthreads();
  out[i] = s[blockDim.x - 1 - t] + (i >= 100 ? in[i - 100] : 0);
}

int main() {
  Values<float, N> in, out;
  Values<int, N> first;
  for (int i = 0; i < N; i++) {
    in.host[i] = (float)(i * 7919 % 1009) / 1024;
    first.host[i] = i * 37 % 1000;
  }
  in.write();
  first.write();
  auto show = [&](const char *name) {
    out.read();
    for (int i = 0; i < N; i += 3)
      printf("%s %d %a\n", name, i, out.host[i]);
  };
  for (int n : {0, 5, 700, 2048}) {
    line<<<32, 64>>>(in.device, out.device, n);
    line<<<dim3(13, 2), 50>>>(in.device, out.device, n);
  }
  show("line");
  tile<<<dim3(8, 8), dim3(16, 8)>>>(in.device, out.device, 128, 64);
  tile<<<dim3(4, 4), dim3(12, 4)>>>(in.device, out.device, 64, 16);
  show("tile");
  gaps<<<8, 64>>>(in.device, out.device);
  gaps<<<70, 8>>>(in.device, out.device);
  show("gaps");
  some_blocks<<<64, 64>>>(in.device, out.device, 3);
  show("some_blocks");
  in_turns<<<64, 64>>>(in.device, out.device, 7);
  show("in_turns");
  places<<<64, 64>>>(first.device, in.device, out.device);
  show("places");
  backwards<<<64, 64>>>(in.device, out.device, N);
  show("backwards");
  return finish();
}
