// A launch from a kernel compiles with gpuprof's own headers, and the CPU device names it where it is reached.
// REQUIRES: llvm-at-least-22
// RUN: %gpuprof cc --cpu -rdc=true %s -o %t 2>&1 | %FileCheck --check-prefix=COMPILE --implicit-check-not=error: %s
// RUN: env GPUPROF_OUTPUT=%t.json GPUPROF_DEVICE=cpu %t 2>&1 | %FileCheck %s
// COMPILE: warning: the CPU device cannot run launches from kernels (dynamic parallelism): a launch that reaches it will fail
// CHECK: gpuprof: error: parent(int*): block (0,0,0), thread (0,0,0): {{.*}}the CPU device cannot run launches from kernels (dynamic parallelism); run this kernel on a GPU
#include <cstdio>

__global__ void child(int *x) { atomicAdd(x, 1); }
__global__ void parent(int *x) { child<<<1, 32>>>(x); }

int main() {
  int *x;
  cudaMallocManaged(&x, sizeof(int));
  parent<<<1, 1>>>(x);
  // CHECK: operation not supported
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
