// A histogram with bins spread over the shared memory of a cluster's blocks: atomics go to
// the block of the bin. They are atomics of shared memory, 4 bytes each, in any block.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json histogram launches=3 bytes.shared.atomic=49152 bytes.global.atomic=7168
// CHECK: all right
#include "clusters.h"

enum { Bins = 256, Values_ = 4096, Threads = 128, Blocks = 8 };

__global__ void histogram(const int *values, int *bins) {
  extern __shared__ int part[];
  const unsigned rank = cluster_rank(), size = cluster_size(), of_block = Bins / size;
  for (unsigned i = threadIdx.x; i < of_block; i += blockDim.x)
    part[i] = 0;
  cluster_sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < Values_; i += gridDim.x * blockDim.x) {
    const unsigned bin = values[i];
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(
                     shared_address_of(part + bin % of_block, bin / of_block))
                 : "memory");
  }
  cluster_sync();
  for (unsigned i = threadIdx.x; i < of_block; i += blockDim.x)
    if (part[i])
      atomicAdd(&bins[rank * of_block + i], part[i]);
}

int main() {
  Values<int, Values_> values;
  int expected[Bins] = {};
  for (int i = 0; i < Values_; i++) {
    values.host[i] = (i * 7 + i / 3) % Bins;
    expected[values.host[i]]++;
  }
  values.write();
  int launches = 0;
  for (int size = 2; size <= Blocks; size *= 2, launches++) {
    Values<int, Bins> bins;
    OK(launch_clusters(size, Blocks, Threads, Bins / size * sizeof(int), histogram, values.device, bins.device));
    bins.read();
    for (int i = 0; i < Bins; i++)
      EXPECT(bins.host[i] == expected[i]);
  }
  return finish();
}
