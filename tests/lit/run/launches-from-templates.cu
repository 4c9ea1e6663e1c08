// <<<>>> inside a function template and a member of a class template.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

template <int N> __global__ void fill(int *p) { p[threadIdx.x] = N; }
template <int N> void launch(int *p, int threads) {
  if (threads > 0)
    fill<N><<<1, threads>>>(p);
}
template <int N> struct Layer {
  void forward(int *p) { fill<N + 1><<<dim3(1), dim3(4)>>>(p); }
};

int main() {
  Values<int, 4> a, b;
  launch<6>(a.device, 4);
  Layer<8>().forward(b.device);
  a.read(), b.read();
  for (int i = 0; i < 4; i++)
    EXPECT(a.host[i] == 6 && b.host[i] == 9);
  return finish();
}
