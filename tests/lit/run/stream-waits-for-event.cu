// An event recorded in one stream orders another after it; an event of no use is ready at once.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void set(int *p, int v) { *p = v; }
__global__ void copy(const int *from, int *to) { *to = *from * 2; }

int main() {
  Values<int, 2> p;
  cudaStream_t a, b;
  cudaEvent_t event, unused;
  OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  OK(cudaStreamCreateWithPriority(&b, cudaStreamNonBlocking, 0));
  OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  OK(cudaEventCreate(&unused));
  OK(cudaEventQuery(unused));
  set<<<1, 1, 0, a>>>(p.device, 21);
  OK(cudaEventRecord(event, a));
  OK(cudaStreamWaitEvent(b, event, 0));
  copy<<<1, 1, 0, b>>>(p.device, p.device + 1);
  OK(cudaEventSynchronize(event));
  p.read();
  EXPECT(p.host[1] == 42);
  OK(cudaEventDestroy(event));
  OK(cudaEventDestroy(unused));
  OK(cudaStreamDestroy(a));
  OK(cudaStreamDestroy(b));
  return finish();
}
