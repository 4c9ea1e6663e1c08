// Blocks of a cluster without meetings, launched in clusters and by many host threads: each runs once, at its place.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json GPUPROF_CPU_WORKERS=3 %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json mark launches=1 threads=24576 bytes.global.atomic=98304
// CHECK: all right
#include "clusters.h"

enum { X = 12, Y = 8, Z = 4, Threads = 64 };

__global__ void __cluster_dims__(3, 2) mark(int *counts) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  atomicAdd(&counts[block * Threads + threadIdx.x], 1 + cluster_rank());
}

int main() {
  static Values<int, X * Y * Z * Threads> counts;
  mark<<<dim3(X, Y, Z), Threads>>>(counts.device);
  counts.read();
  for (int i = 0; i < X * Y * Z * Threads; i++) {
    const int x = i / Threads % X, y = i / Threads / X % Y;
    EXPECT(counts.host[i] == 1 + x % 3 + 3 * (y % 2));
  }
  return finish();
}
