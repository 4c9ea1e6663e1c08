// Kernels from templates by type, by value, by function object and by pack.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

template <class T, int N> __global__ void scale(T *p) { p[threadIdx.x] *= N; }
template <class F, class T> __global__ void apply(F f, T *p) { p[threadIdx.x] = f(p[threadIdx.x]); }
template <class... Ts> __global__ void total(double *out, Ts... values) { *out = (0.0 + ... + values); }
struct Increase {
  int by;
  __host__ __device__ int operator()(int v) const { return v + by; }
};

int main() {
  Values<int, 4> p;
  Values<double, 1> out;
  for (int i = 0; i < 4; i++)
    p.host[i] = i;
  p.write();
  scale<int, 3><<<1, 4>>>(p.device);
  apply<<<1, 4>>>(Increase{5}, p.device);
  total<<<1, 1>>>(out.device, 1, 2.5f, 3.25, 'A');
  p.read(), out.read();
  for (int i = 0; i < 4; i++)
    EXPECT(p.host[i] == 3 * i + 5);
  EXPECT(out.host[0] == 71.75);
  return finish();
}
