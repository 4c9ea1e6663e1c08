// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The clusters of a launch: CUDA's checks. */
#include "common/errors.h"
#include "cuda-api/work/work.h"

#include <string.h>

bool gp_cluster_is_given(const uint32_t size[3]) { return size[0] || size[1] || size[2]; }

/* The cluster size required by the kernel's source, or else by cudaFuncSetAttribute; zeros without either. */
void gp_cluster_required(const struct gp_kernel_work *k, uint32_t size[3]) {
  const struct gp_kernel_settings settings = gp_cpu_kernel_settings(k->function);
  for (int i = 0; i < 3; i++)
    size[i] = gp_cluster_is_given(k->kernel->cluster) ? k->kernel->cluster[i] : (uint32_t)settings.cluster[i];
}

uint64_t gp_cluster_most_blocks(const struct gp_kernel_work *k) {
  const bool may = gp_cpu_kernel_settings(k->function).non_portable;
  const uint64_t most = may ? GP_CPU_CLUSTER_BLOCKS : GP_CPU_CLUSTER_PORTABLE;
  const uint32_t bound = k->kernel->maximum_cluster;
  return bound && bound < most ? bound : most;
}

int gp_work_cluster(const struct gp_kernel_work *k, uint32_t size[3]) {
  const uint32_t grid[3] = {k->grid.x, k->grid.y, k->grid.z};
  const uint32_t asked[3] = {k->cluster.x, k->cluster.y, k->cluster.z};
  const bool is_asked = gp_cluster_is_given(asked);
  uint64_t blocks = 1;
  gp_cluster_required(k, size);
  if (is_asked && gp_cluster_is_given(size) && memcmp(asked, size, sizeof asked))
    return GP_ERROR_INVALID_CLUSTER_SIZE;
  if (is_asked)
    memcpy(size, asked, sizeof asked);
  for (int i = 0; gp_cluster_is_given(size) && i < 3; i++) {
    if (!size[i] || size[i] > GP_CPU_CLUSTER_BLOCKS || grid[i] % size[i])
      return GP_ERROR_INVALID_CLUSTER_SIZE;
    blocks *= size[i];
  }
  return blocks > gp_cluster_most_blocks(k) ? GP_ERROR_INVALID_CLUSTER_SIZE : 0;
}
