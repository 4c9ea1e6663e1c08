// Programs for older versions of CUDA find its headers, its types of the C library and its former names.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include <driver_types.h>
#include <host_defines.h>
#include <vector_functions.h>
#include <vector_types.h>

typedef uint64_t Word; // before any other header

#include "run.h"

__global__ void add(Word *sum) { atomicAdd((unsigned long long *)sum, 1ull); }

int main() {
  Word *sum, host = 0;
  OK(cudaMalloc(&sum, sizeof *sum));
  OK(cudaMemset(sum, 0, sizeof *sum));
  add<<<2, 32>>>(sum);
  EXPECT(cudaThreadSynchronize() == cudaSuccess);
  OK(cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host == 64);
  int mode = -1;
  OK(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, 0));
  EXPECT(mode == cudaComputeModeDefault);
  EXPECT(cudaThreadExit() == cudaSuccess);
  return finish();
}
