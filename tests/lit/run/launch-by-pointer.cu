// cudaLaunchKernel with an array of arguments.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void set(int *p, char c, double d) { p[blockIdx.x] = c + (int)d; }

int main() {
  Values<int, 3> p;
  char c = 5;
  double d = 37.5;
  void *arguments[] = {&p.device, &c, &d};
  OK(cudaLaunchKernel(set, dim3(3), dim3(1), arguments, 0, 0));
  p.read();
  EXPECT(p.host[0] == 42 && p.host[2] == 42);
  return finish();
}
