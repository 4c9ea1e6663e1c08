// Each instantiation of a template has shared variables of its own type and size.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

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

int main() {
  check<char, 100>();
  check<float, 64>();
  check<double, 256>();
  return finish();
}
