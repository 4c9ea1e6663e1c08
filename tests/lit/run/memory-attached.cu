// cudaStreamAttachMemAsync takes managed memory as a whole, and a stream of the program's where that alone may use it: what an H200
// answers.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

extern "C" cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes, unsigned flags);
enum { GLOBAL = 1, SINGLE = 4 };

int main() {
  cudaStream_t stream;
  void *managed, *device;
  int host;
  OK(cudaStreamCreate(&stream));
  OK(cudaMallocManaged(&managed, 4096));
  OK(cudaMalloc(&device, 4096));
  OK(cudaStreamAttachMemAsync(stream, managed, 0, SINGLE));
  OK(cudaStreamAttachMemAsync(stream, managed, 4096, GLOBAL));
  EXPECT(cudaStreamAttachMemAsync(stream, managed, 100, SINGLE) == cudaErrorInvalidValue);
  EXPECT(cudaStreamAttachMemAsync(stream, device, 0, SINGLE) == cudaErrorInvalidValue);
  EXPECT(cudaStreamAttachMemAsync(stream, &host, 0, SINGLE) == cudaErrorInvalidValue);
  EXPECT(cudaStreamAttachMemAsync(stream, managed, 0, 9) == cudaErrorInvalidValue);
  EXPECT(cudaStreamAttachMemAsync(0, managed, 0, SINGLE) == cudaErrorInvalidValue);
  return finish();
}
