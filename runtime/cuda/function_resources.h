/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a kernel's machine code needs, asked of the CUDA runtime. */
#ifndef GP_FUNCTION_RESOURCES_H
#define GP_FUNCTION_RESOURCES_H

#include <stddef.h>

struct gp_kernel_resources;

/* cudaFuncAttributes; later versions of CUDA append members. */
struct gp_cuda_function_attributes {
  size_t shared_bytes, constant_bytes, local_bytes;
  int most_threads, registers, ptx_version, binary_version, caches_all, most_dynamic_shared, carveout;
  int needs_cluster, cluster[3];
  char room[512];
};

/* Of the kernel on the current device. Returns 0 or an error. */
int gp_cuda_function_resources(const void *function, struct gp_kernel_resources *resources);

#endif
