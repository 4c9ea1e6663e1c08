/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The real GPU: libcuda and libcudart, opened at run time and reached only through handles, because
 * libgpuprof exports libcudart's names itself.
 */
#ifndef GP_CUDA_REAL_H
#define GP_CUDA_REAL_H

#include "exports/cudart.h"

/* 1 if this process can use a GPU: the driver opens and initialises, it has a device, and a libcudart was
 * found. Where a GPU is there but no libcudart, says once what to set. The answer of the first call stays. */
int gp_cuda_usable(void);

/* The functions of the real libcudart. The first call replays all registrations into it.
 * Only valid after gp_cuda_usable() answered 1. */
const struct gp_cudart *gp_cuda_real(void);

/* Opens the first of `names` (ended by null) that the process has loaded, that the loader finds, or that lies
 * in <prefix>/<folder> for one of `folders` (ended by null); prefixes are the toolkit of the libcudart in
 * use, CUDA_PATH, CUDA_HOME and /usr/local/cuda. Null when there is none. */
void *gp_cuda_open_library(const char *const *names, const char *const *folders);

/* A function of the driver or of the CUDA runtime that the table lacks; null if there is none. */
void *gp_cuda_symbol(const char *name);

#endif
