// The place of a block in its cluster, and of the cluster in the grid, in three dimensions; the block of an
// address of shared memory, and isspacep of another block's address. Without clusters each block is one by itself.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "clusters.h"

enum { Facts = 20 };
#define REGISTER(name)                                                                                       \
  asm volatile("mov.u32 %0, %%" name ";" : "=r"(value));                                                     \
  *out++ = value
#define IS_SPACE(space, address)                                                                             \
  asm volatile("{ .reg .pred p; isspacep." space " p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(value) : "l"(address)); \
  *out++ = value

__global__ void tell(unsigned *out) {
  __shared__ int own;
  unsigned value;
  out += Facts * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  REGISTER("cluster_ctaid.x");
  REGISTER("cluster_ctaid.y");
  REGISTER("cluster_ctaid.z");
  REGISTER("cluster_nctaid.x");
  REGISTER("cluster_nctaid.y");
  REGISTER("cluster_nctaid.z");
  REGISTER("clusterid.x");
  REGISTER("clusterid.y");
  REGISTER("clusterid.z");
  REGISTER("nclusterid.x");
  REGISTER("nclusterid.y");
  REGISTER("nclusterid.z");
  REGISTER("cluster_ctarank");
  REGISTER("cluster_nctarank");
  asm volatile("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(value));
  *out++ = value;
  int *other = pointer_of(&own, (cluster_rank() + 1) % cluster_size());
  asm volatile("getctarank.u64 %0, %1;" : "=r"(value) : "l"(other));
  *out++ = value;
  other = pointer_of(other, cluster_rank()); // of another block's address the place in its own
  asm volatile("getctarank.u64 %0, %1;" : "=r"(value) : "l"(other));
  *out++ = value;
  other = pointer_of(&own, (cluster_rank() + 1) % cluster_size());
  IS_SPACE("shared::cluster", other);
  IS_SPACE("shared::cta", other);
  IS_SPACE("global", other);
  cluster_sync();
}

static void check(dim3 cluster, dim3 grid, bool is_explicit, const unsigned *facts) {
  for (unsigned z = 0; z < grid.z; z++)
    for (unsigned y = 0; y < grid.y; y++)
      for (unsigned x = 0; x < grid.x; x++, facts += Facts) {
        const unsigned size = cluster.x * cluster.y * cluster.z;
        const unsigned rank = x % cluster.x + cluster.x * (y % cluster.y + cluster.y * (z % cluster.z));
        const unsigned expected[Facts] = {x % cluster.x,
                                          y % cluster.y,
                                          z % cluster.z,
                                          cluster.x,
                                          cluster.y,
                                          cluster.z,
                                          x / cluster.x,
                                          y / cluster.y,
                                          z / cluster.z,
                                          grid.x / cluster.x,
                                          grid.y / cluster.y,
                                          grid.z / cluster.z,
                                          rank,
                                          size,
                                          is_explicit,
                                          (rank + 1) % size,
                                          rank,
                                          1,
                                          size == 1,
                                          0};
        for (int i = 0; i < Facts; i++)
          if (facts[i] != expected[i] && failures++ < 10)
            std::printf("block %u %u %u, fact %d: %u, not %u\n", x, y, z, i, facts[i], expected[i]);
      }
}

int main() {
  static Values<unsigned, 64 * Facts> out;
  const dim3 grid(4, 2, 6), cluster(2, 1, 3);
  OK(launch_clusters(cluster, grid, 1, 0, tell, out.device));
  out.read();
  check(cluster, grid, true, out.host);
  OK(launch_clusters(dim3(1, 2, 2), grid, 1, 0, tell, out.device));
  out.read();
  check(dim3(1, 2, 2), grid, true, out.host);
  tell<<<grid, 1>>>(out.device);
  out.read();
  check(dim3(1, 1, 1), grid, false, out.host);
  return finish();
}
