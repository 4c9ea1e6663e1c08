// A kernel launched only by a function object's call operator, itself called by the C++ library, runs on the CPU device.
// RUN: %clangxx -fplugin=%plugin %minicuda -std=c++17 -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: 3 6
#include <algorithm>
#include <cstdio>
#include <iterator>

template <class T> __global__ void triple(T *value) { *value *= 3; }

int main() {
  int *values;
  cudaMallocManaged(&values, 2 * sizeof *values);
  values[0] = 1, values[1] = 2;
  std::for_each(values, values + 2, [](auto &value) { triple<<<1, 1>>>(&value); });
  cudaDeviceSynchronize();
  printf("%d %d\n", values[0], values[1]);
}
