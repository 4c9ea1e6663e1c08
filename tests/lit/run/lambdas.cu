// Lambdas of the host, with captures, run in kernels; and a lambda made inside a kernel.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

template <class F> __global__ void each(int n, F f) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n)
    f(t);
}
__global__ void inside(int *out) {
  auto square = [](int v) { return v * v; };
  int factor = 2;
  auto scaled = [&factor](int v) { return v * factor; };
  out[threadIdx.x] = scaled(square(threadIdx.x));
}

int main() {
  Values<int, 50> a, b;
  int *p = a.device, add = 11;
  each<<<2, 32>>>(50, [=] __device__(int t) { p[t] = t + add; });
  inside<<<1, 50>>>(b.device);
  a.read(), b.read();
  for (int i = 0; i < 50; i++)
    EXPECT(a.host[i] == i + 11 && b.host[i] == 2 * i * i);
  return finish();
}
