// Freeing null is no error; what was not allocated, or twice, is cudaErrorInvalidValue.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

int main() {
  int *p, local = 0;
  OK(cudaFree(nullptr));
  OK(cudaMalloc(&p, 64));
  OK(cudaFree(p));
  EXPECT(cudaFree(p) == cudaErrorInvalidValue);
  EXPECT(cudaFree(&local) == cudaErrorInvalidValue);
  return finish();
}
