// __constant__ variables: initial values, and those that the host has copied there, at an offset too.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

struct Pair {
  int a;
  float b;
};
__constant__ int table[4] = {1, 2, 3, 4};
__constant__ Pair pair;
__global__ void read(int *out) { out[threadIdx.x] = table[threadIdx.x] * 100 + pair.a + (int)pair.b; }

int main() {
  Values<int, 4> out;
  const Pair p = {7, 10.5f};
  const int last[2] = {30, 40};
  OK(cudaMemcpyToSymbol(pair, &p, sizeof p));
  read<<<1, 4>>>(out.device);
  out.read();
  EXPECT(out.host[0] == 117 && out.host[3] == 417);
  OK(cudaMemcpyToSymbol(table, last, sizeof last, 2 * sizeof(int)));
  read<<<1, 4>>>(out.device);
  out.read();
  EXPECT(out.host[0] == 117 && out.host[1] == 217 && out.host[2] == 3017 && out.host[3] == 4017);
  return finish();
}
