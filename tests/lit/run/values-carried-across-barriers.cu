// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that a loop with barriers carries on have one array, except where their old value is used behind the new one, or by other
// threads. Results and counts equal those on fibers.
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

__global__ void sums(const float *in, float *out, int n) {
  __shared__ float s[N];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i++) {
    s[t] = in[(t + i) % N];
    __syncthreads();
    sum += s[N - 1 - t];
    __syncthreads();
  }
  out[t] = sum;
}

// Two values change places.
__global__ void swap(const float *in, float *out, int n) {
  __shared__ float s[N];
  int t = threadIdx.x;
  float a = in[t], b = in[N - 1 - t];
  for (int i = 0; i < n; i++) {
    s[t] = a;
    __syncthreads();
    float c = a + s[(t + 1) % N];
    a = b;
    b = c;
    __syncthreads();
  }
  out[t] = a - 2 * b;
}

// The value before the last one is used behind the loop.
__global__ void before_last(const float *in, float *out, float most) {
  __shared__ float s[N];
  int t = threadIdx.x;
  float now = in[t], old;
  do {
    s[t] = now;
    __syncthreads();
    old = now;
    now = old + s[(t + 7) % N];
    __syncthreads();
    s[t] = now;
    __syncthreads();
  } while (s[0] < most);
  out[t] = old + now / 4;
}

// Other threads read the value by shuffles.
__global__ void shuffled(const float *in, float *out, int n) {
  __shared__ float s[N];
  int t = threadIdx.x;
  float v = in[t];
  for (int i = 0; i < n; i++) {
    v += __shfl_up_sync(~0u, v, 1) * 0.5f;
    s[t] = v;
    __syncthreads();
    v += s[(t + i) % N];
    __syncthreads();
  }
  out[t] = v;
}

// Threads leave the loop's work at their own branch, in a region of some threads.
__global__ void some(const float *in, float *out, int n, int few) {
  __shared__ float s[N];
  int t = threadIdx.x;
  float v = in[t], last = 0;
  for (int i = 0; i < n; i++) {
    s[t] = v;
    __syncthreads();
    if (t < few) {
      last = v;
      v += s[t + 1];
    }
    __syncthreads();
  }
  out[t] = v + last;
}

__global__ void nested(const float *in, float *out, int n) {
  __shared__ float s[N];
  int t = threadIdx.x;
  float outer = 0;
  for (int i = 0; i < n; i++) {
    float inner = outer;
    for (int k = 0; k < 3; k++) {
      s[t] = inner + in[t];
      __syncthreads();
      inner += s[(t + k + 1) % N];
      __syncthreads();
    }
    outer = inner - outer / 2;
  }
  out[t] = outer;
}

int main() {
  Values<float, N> in, out;
  for (int i = 0; i < N; i++)
    in.host[i] = (float)(i * 7919 % 1009) / 1024;
  in.write();
  auto show = [&](const char *name) {
    out.read();
    for (int i = 0; i < N; i++)
      printf("%s %d %a\n", name, i, out.host[i]);
  };
  for (int n : {0, 1, 2, 5}) {
    sums<<<1, N>>>(in.device, out.device, n);
    show("sums");
    swap<<<1, N>>>(in.device, out.device, n);
    show("swap");
    before_last<<<1, N>>>(in.device, out.device, n);
    show("before_last");
    shuffled<<<1, N>>>(in.device, out.device, n);
    show("shuffled");
    some<<<1, N>>>(in.device, out.device, n, 40);
    show("some");
    nested<<<1, N>>>(in.device, out.device, n);
    show("nested");
  }
  return finish();
}
