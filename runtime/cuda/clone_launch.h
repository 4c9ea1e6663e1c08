/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Launches of counting clones on a GPU. */
#ifndef GP_CUDA_CLONE_H
#define GP_CUDA_CLONE_H

#include "base/device.h"

/* gp_device_ops.most_threads */
unsigned gp_cuda_most_threads(const struct gp_launch *launch, const char *suffix);
/* gp_device_ops.launch_clone */
const char *gp_cuda_launch_clone(const struct gp_launch *launch, const char *suffix);
/* gp_device_ops.sibling_blocks */
int gp_cuda_sibling_blocks(const void *host, const char *suffix, int block_size, size_t dynamic_shared_bytes, unsigned flags);
/* gp_device_ops.launch_instrumented */
const char *gp_cuda_launch_instrumented(const struct gp_launch *launch, const char *suffix, int *error);

#endif
