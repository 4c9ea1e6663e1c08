// Occupancy is limited by a multiprocessor's threads and shared memory.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

__global__ void plain(int *p) { *p = 1; }

int main() {
  int blocks = 0;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 256, 0));
  EXPECT(blocks == 8);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 32, 0));
  EXPECT(blocks == 32);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 64, 47 * 1024));
  EXPECT(blocks == 4);
  EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 0, 0) == cudaErrorInvalidValue);
  return finish();
}
