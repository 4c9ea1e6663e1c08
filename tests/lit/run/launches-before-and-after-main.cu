// Kernels launched by a constructor of a global object, before main, and by a destructor, after it: both work and count.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json add launches=3 flops.fp32.add=96
// CHECK: before 1
// CHECK-NEXT: main 2
// CHECK-NEXT: after 3
#include "run.h"

__device__ float sum[32];
__global__ void add() { sum[threadIdx.x] += 1; }

static void launch(const char *when) {
  float host[32];
  add<<<1, 32>>>();
  OK(cudaMemcpyFromSymbol(host, sum, sizeof host));
  std::printf("%s %g\n", when, host[31]);
}

struct Launcher {
  Launcher() { launch("before"); }
  ~Launcher() { launch("after"); }
} launcher;

int main() {
  launch("main");
  return 0;
}
