// A cluster whose blocks wait for one another for ever: told so, with who waits where.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -g %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2> %t.err | %FileCheck %s
// RUN: %FileCheck --check-prefix=SAID %s < %t.err
// SAID: gpuprof: error: run(int*): block (1,0,0): deadlock: no thread can run: 32 wait at a barrier, 0 at a warp operation, 32 at the barrier of the cluster, 0 have returned; make every thread of the block (or of the mask, or of the cluster) reach it
// SAID-DAG: clusters-deadlock.cu:[[# @LINE + 7]]{{.*}}: barrier, 32 threads, (0,0,0) to (31,0,0)
// SAID-DAG: clusters-deadlock.cu:[[# @LINE + 8]]{{.*}}: barrier of the cluster, 32 threads, (32,0,0) to (63,0,0)
// CHECK: all right
#include "clusters.h"

__global__ void run(int *out) {
  if (threadIdx.x < 32 && cluster_rank() == 1)
    __syncthreads();
  asm volatile("barrier.cluster.arrive;" ::: "memory");
  asm volatile("barrier.cluster.wait;" ::: "memory");
  out[blockIdx.x] = 1;
}

int main() {
  Values<int, 2> out;
  OK(launch_clusters(2, 2, 64, 0, run, out.device));
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  return finish();
}
