// The address of a block missing in the cluster may be computed; an access stops the launch, as on a GPU, with the reason.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -g %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2> %t.err | %FileCheck %s
// RUN: %FileCheck --check-prefix=SAID %s < %t.err
// SAID: gpuprof: error: run(int*, unsigned int, bool): block ({{[0-3]}},0,0){{.*}}clusters-missing-block.cu:{{1[67]}}: access to shared memory of a block that its cluster does not have: it has 4
// CHECK: all right
#include "clusters.h"

__global__ void run(int *out, unsigned rank, bool access) {
  __shared__ int own;
  own = blockIdx.x;
  cluster_sync();
  int value = -1;
  const unsigned there = shared_address_of(&own, rank);
  if (access)
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(there));
  out[blockIdx.x] = value;
  cluster_sync();
}

int main() {
  Values<int, 4> out;
  OK(launch_clusters(4, 4, 1, 0, run, out.device, 4u, false));
  out.read();
  EXPECT(out.host[0] == -1 && out.host[3] == -1);
  OK(launch_clusters(4, 4, 1, 0, run, out.device, 3u, true));
  out.read();
  EXPECT(out.host[0] == 3 && out.host[3] == 3);
  OK(launch_clusters(4, 4, 1, 0, run, out.device, 4u, true));
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  return finish();
}
