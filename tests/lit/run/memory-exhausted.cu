// An allocation beyond the memory gives cudaErrorMemoryAllocation, which is not sticky.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

int main() {
  size_t free_bytes, total;
  void *p = nullptr;
  OK(cudaMemGetInfo(&free_bytes, &total));
  EXPECT(free_bytes <= total && total > 0);
  EXPECT(cudaMalloc(&p, (size_t)1 << 50) == cudaErrorMemoryAllocation);
  EXPECT(cudaPeekAtLastError() == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess);
  OK(cudaMalloc(&p, 1024));
  OK(cudaFree(p));
  return finish();
}
