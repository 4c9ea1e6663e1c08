// Shared memory: static, dynamic, of functions and templates.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

// An unsigned index of shared memory below zero reads the memory before, like addresses of 32 bits on a GPU.
namespace shared_indices_wrap {
__global__ void backwards(int *values) {
  __shared__ int line[64];
  line[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int *end = line + 64;
  const unsigned i = values[threadIdx.x];
  const int first = end[~i], second = end[i - 64];
  values[threadIdx.x] = first * 100 + second;
}

static void check() {
  Values<int, 64> values;
  for (int i = 0; i < 64; i++)
    values.host[i] = i;
  values.write();
  backwards<<<1, 64>>>(values.device);
  values.read();
  for (int i = 0; i < 64; i++)
    EXPECT(values.host[i] == (63 - i) * 100 + i);
}
} // namespace shared_indices_wrap

// Dynamic shared memory, cut into two arrays of different types, behind a static one.
namespace shared_memory_dynamic {
extern __shared__ double memory[];
__global__ void cut(double *out, int n) {
  __shared__ int first;
  double *d = memory;
  int *i = (int *)(d + n), t = threadIdx.x;
  if (t == 0)
    first = 5;
  d[t] = 0.5 * t;
  i[n - 1 - t] = t;
  __syncthreads();
  out[t] = d[n - 1 - t] + i[t] + first;
}

static void check() {
  Values<double, 48> out;
  cut<<<1, 48, 48 * (sizeof(double) + sizeof(int))>>>(out.device, 48);
  out.read();
  for (int i = 0; i < 48; i++)
    EXPECT(out.host[i] == 1.5 * (47 - i) + 5);
}
} // namespace shared_memory_dynamic

// A static shared variable inside a device function is one for the block, whoever calls it.
namespace shared_memory_in_functions {
static __device__ int *scratch() {
  __shared__ int s[32];
  return s;
}
static __device__ __noinline__ void put(int v) { scratch()[threadIdx.x] = v; }
__global__ void run(int *out) {
  put(3 * threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = scratch()[31 - threadIdx.x];
}

static void check() {
  Values<int, 32> out;
  run<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == 3 * (31 - i));
}
} // namespace shared_memory_in_functions

// Each instantiation of a template has shared variables of its own type and size.
namespace shared_memory_of_templates {
template <class T, int N> __global__ void reverse(T *out) {
  __shared__ T s[N];
  s[threadIdx.x] = (T)threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[N - 1 - threadIdx.x];
}
template <class T, int N> static void check() {
  Values<T, N> out;
  reverse<T, N><<<1, N>>>(out.device);
  out.read();
  for (int i = 0; i < N; i++)
    EXPECT(out.host[i] == (T)(N - 1 - i));
}

static void check() {
  check<char, 100>();
  check<float, 64>();
  check<double, 256>();
}
} // namespace shared_memory_of_templates

// Several static shared arrays of different types and alignments do not overlap, and each block has its own.
namespace shared_memory_static {
__global__ void fill(int *out) {
  __shared__ char c[3];
  __shared__ double d[5];
  __shared__ short s;
  __shared__ __align__(32) float f[32];
  int t = threadIdx.x;
  if (t < 3)
    c[t] = 1 + blockIdx.x;
  if (t < 5)
    d[t] = 10 * (1 + blockIdx.x);
  if (t == 0)
    s = 100 * (1 + blockIdx.x);
  f[t] = 1000.0f * (1 + blockIdx.x);
  __syncthreads();
  bool aligned = (size_t)d % 8 == 0 && (size_t)f % 32 == 0;
  out[blockIdx.x * 32 + t] = aligned ? (int)(c[t % 3] + d[t % 5] + s + f[31 - t]) : -1;
}

static void check() {
  Values<int, 128> out;
  fill<<<4, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 128; i++)
    EXPECT(out.host[i] == 1111 * (1 + i / 32));
}
} // namespace shared_memory_static

int main() {
  behaviour(shared_indices_wrap::check);
  behaviour(shared_memory_dynamic::check);
  behaviour(shared_memory_in_functions::check);
  behaviour(shared_memory_of_templates::check);
  behaviour(shared_memory_static::check);
  return finish();
}
