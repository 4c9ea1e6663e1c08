// cudaLaunchHostFunc and cudaStreamAddCallback run on the host after what came before them.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

__global__ void set(int *p) { *p = 9; }
static int *managed, seen, called;
static void CUDART_CB look(void *data) {
  if (data == &seen)
    seen = *managed;
}
static void CUDART_CB call(cudaStream_t, cudaError_t status, void *) { called = status == cudaSuccess; }

int main() {
  OK(cudaMallocManaged(&managed, sizeof(int)));
  set<<<1, 1>>>(managed);
  OK(cudaLaunchHostFunc(0, look, &seen));
  OK(cudaStreamAddCallback(0, call, nullptr, 0));
  OK(cudaDeviceSynchronize());
  EXPECT(seen == 9 && called);
  return finish();
}
