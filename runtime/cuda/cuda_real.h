/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The real GPU: libcuda and libcudart, opened at run time. They are reached only through handles, because
 * libgpuprof exports libcudart's names itself.
 */
#ifndef GP_CUDA_REAL_H
#define GP_CUDA_REAL_H

#include "exports/cudart.h"

/* 1 if this process can use a GPU: the driver opens and initialises, it has a device, and a libcudart was
 * found. With a GPU but no libcudart, reports once which setting helps. The result of the first call
 * stays. */
int gp_cuda_usable(void);

/* The functions of the real libcudart. The first call replays all registrations into it. Only valid after
 * gp_cuda_usable() returned 1. */
const struct gp_cudart *gp_cuda_real(void);

/* Opens the first of `names` among the loaded libraries, on the loader's path, or in <prefix>/<folder> for
 * one of `folders`. Null ends both lists. Prefixes are the toolkit of the libcudart in use, CUDA_PATH,
 * CUDA_HOME and /usr/local/cuda. Null if there is none. */
void *gp_cuda_open_library(const char *const *names, const char *const *folders);

/* A function of the driver or of the CUDA runtime missing in the table; null if there is none. */
void *gp_cuda_symbol(const char *name);

/* Around calls of gpuprof's own: a capture of the thread permits them, and their errors are none of the program's. */
int gp_cuda_enter(void);
/* Returns `error`, which was theirs. */
int gp_cuda_leave(int mode, int error);

#endif
