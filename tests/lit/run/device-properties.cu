// Properties and attributes agree, and a missing device is an error.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

int main() {
  int count = 0, device = -1, value = 0;
  cudaDeviceProp p;
  OK(cudaGetDeviceCount(&count));
  OK(cudaGetDevice(&device));
  OK(cudaGetDeviceProperties(&p, 0));
  EXPECT(count == 1 && device == 0);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  EXPECT(value == p.multiProcessorCount && value > 0);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
  EXPECT(value == p.maxThreadsPerBlock && value == 1024);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
  EXPECT(value == p.major);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrL2CacheSize, 0));
  EXPECT(value == p.l2CacheSize && value > 0 && value <= 62914560); // an H200's
  EXPECT(cudaGetDeviceProperties(&p, 5) == cudaErrorInvalidDevice);
  EXPECT(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  int can = 1;
  OK(cudaDeviceCanAccessPeer(&can, 0, 0));
  EXPECT(can == 0);
  return finish();
}
