// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Clusters of blocks: attributes of kernels and launches, and how many clusters fit. */
#include "common/errors.h"
#include "cuda-api/runtime/api_cluster.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/work.h"
#include "engine/emulator.h"

/* ---- Attributes ---------------------------------------------------------------------------------------- */

int gp_cluster_take_attribute(struct gp_kernel_settings *settings, const struct gpuprof_cpu_kernel *kernel,
                              int attribute, int value) {
  enum { WIDTH = 11, DEPTH = 13, NON_PORTABLE = 14, POLICY = 15, POLICIES = 3 };
  if (attribute >= WIDTH && attribute <= DEPTH) {
    const int axis = attribute - WIDTH;
    if (value < 0 || (gp_cluster_is_given(kernel->cluster) && (uint32_t)value != kernel->cluster[axis]))
      return GP_ERROR_INVALID_VALUE;
    settings->cluster[axis] = value;
  } else if (attribute == NON_PORTABLE) {
    settings->non_portable = value;
  } else if (attribute == POLICY && value >= 0 && value < POLICIES) {
    settings->policy = value;
  } else {
    return GP_ERROR_INVALID_VALUE; /* only the source can demand a size from each launch */
  }
  return 0;
}

void gp_cluster_tell_attributes(struct gp_function_attributes *attributes, const void *function,
                                const struct gpuprof_cpu_kernel *kernel) {
  const struct gp_kernel_settings settings = gp_cpu_kernel_settings(function);
  uint32_t size[3];
  gp_cluster_required(&(struct gp_kernel_work){.function = function, .kernel = kernel}, size);
  attributes->cluster_must_be_set = gp_cluster_is_given(kernel->cluster);
  for (int i = 0; i < 3; i++)
    attributes->cluster[i] = (int)size[i];
  attributes->cluster_policy = settings.policy;
  attributes->non_portable_cluster = settings.non_portable;
}

int gp_cluster_of_attributes(struct gp_kernel_work *launch, const struct gp_cuda_launch_attribute *attributes,
                             unsigned count) {
  enum { POLICY = 5, POLICIES = 3 };
  for (unsigned i = 0; i < count; i++) {
    const unsigned *size = attributes[i].value.dimension; /* the last one counts */
    if (attributes[i].id == GP_CUDA_LAUNCH_ATTRIBUTE_CLUSTER)
      launch->cluster = (struct gp_cuda_dim3){size[0], size[1], size[2]};
    else if (attributes[i].id == POLICY && (unsigned)attributes[i].value.integer >= POLICIES)
      return GP_ERROR_INVALID_VALUE;
  }
  return 0;
}

/* ---- Occupancy ----------------------------------------------------------------------------------------- */

static int find(struct gp_kernel_work *k, const void *function, const struct gp_cuda_launch_config *launch) {
  int error = GP_ERROR_INVALID_VALUE;
  if (!launch)
    return error;
  *k = (struct gp_kernel_work){.function = function,
                               .kernel = gp_cpu_find_kernel(function, &error),
                               .grid = launch->grid,
                               .block = launch->block,
                               .dynamic_shared_bytes = launch->dynamic_shared_bytes};
  return error ? error : gp_cluster_of_attributes(k, launch->attributes, launch->attribute_count);
}

/* True if a block of this size can run at all. */
static bool fits(const struct gp_kernel_work *k) {
  const uint32_t grid[3] = {1, 1, 1}, block[3] = {k->block.x, k->block.y, k->block.z};
  return !gp_cpu_check(k->kernel, grid, block, k->dynamic_shared_bytes,
                       k->kernel->static_shared_bytes + gp_cpu_dynamic_limit(k->function, k->kernel));
}

int gp_cpu_cudaOccupancyMaxPotentialClusterSize(int *size, const void *function,
                                                const struct gp_cuda_launch_config *launch) {
  struct gp_kernel_work k;
  int error = size ? find(&k, function, launch) : GP_ERROR_INVALID_VALUE;
  if (!error)
    *size = fits(&k) ? (int)gp_cluster_most_blocks(&k) : 0;
  return gp_cpu_result(error);
}

/* An H200's number, without regard to registers and to groups of multiprocessors. */
int gp_cpu_cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                                          const struct gp_cuda_launch_config *launch) {
  struct gp_kernel_work k;
  uint32_t size[3] = {0};
  int error = clusters ? find(&k, function, launch) : GP_ERROR_INVALID_VALUE;
  if (!error)
    error = gp_work_cluster(&k, size);
  if (error)
    return gp_cpu_result(error);
  const uint64_t blocks =
      (uint64_t)size[0] * size[1] * size[2]; /* none: a launch without clusters has none */
  const uint64_t threads = (uint64_t)k.block.x * k.block.y * k.block.z;
  const uint64_t shared_bytes = k.dynamic_shared_bytes + k.kernel->static_shared_bytes;
  *clusters = blocks && fits(&k) ? (int)(gp_cpu_resident_blocks(threads, shared_bytes) / blocks) : 0;
  return gp_cpu_result(0);
}
