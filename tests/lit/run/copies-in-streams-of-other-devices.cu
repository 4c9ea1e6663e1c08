// A copy may be given to a stream of another device than the thread's, a kernel may not.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_CPU_DEVICES=2 GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

__global__ void nothing() {}

int main() {
  int *first, *second, seven = 7, value = 0;
  cudaStream_t of_second;
  OK(cudaSetDevice(1));
  OK(cudaMalloc((void **)&second, sizeof *second));
  OK(cudaStreamCreateWithFlags(&of_second, cudaStreamNonBlocking));
  OK(cudaSetDevice(0));
  OK(cudaMalloc((void **)&first, sizeof *first));

  OK(cudaMemcpyAsync(first, &seven, sizeof seven, cudaMemcpyHostToDevice, of_second));
  OK(cudaMemcpyPeerAsync(second, 1, first, 0, sizeof *first, of_second));
  OK(cudaMemcpyAsync(&value, second, sizeof value, cudaMemcpyDeviceToHost, of_second));
  OK(cudaStreamSynchronize(of_second));
  EXPECT(value == 7);

  nothing<<<1, 1, 0, of_second>>>();
  EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  return finish();
}
