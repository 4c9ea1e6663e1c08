/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attributes of clusters. */
#ifndef GP_CPU_API_CLUSTER_H
#define GP_CPU_API_CLUSTER_H

#include "cuda-api/work/work.h"

/* cudaFuncAttributes of CUDA 12 and 13; CUDA 11's ends before the clusters. */
struct gp_function_attributes {
  size_t shared_bytes, constant_bytes, local_bytes;
  int maximum_threads, registers, ptx_version, binary_version, cache_mode, maximum_dynamic_shared_bytes,
      carveout;
  int cluster_must_be_set, cluster[3], cluster_policy, non_portable_cluster;
  int reserved[16];
};
/* cudaFuncSetAttribute, for attributes of clusters. Returns a CUDA error. */
int gp_cluster_take_attribute(struct gp_kernel_settings *, const struct gpuprof_cpu_kernel *, int attribute,
                              int value);
void gp_cluster_tell_attributes(struct gp_function_attributes *, const void *function,
                                const struct gpuprof_cpu_kernel *);
/* Reads a launch's attributes of clusters. Returns a CUDA error. */
int gp_cluster_of_attributes(struct gp_kernel_work *, const struct gp_cuda_launch_attribute *,
                             unsigned count);

#endif
