// Names and texts of errors, and of numbers without an error.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

int main() {
  EXPECT(!strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess"));
  EXPECT(!strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory"));
  EXPECT(!strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress"));
  EXPECT(!strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code"));
  return finish();
}
