/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A folder that serves build systems as CUDA_HOME: its bin/nvcc is this command, the rest is the toolkit's. */
#ifndef GP_TOOL_CUDA_HOME_H
#define GP_TOOL_CUDA_HOME_H

#include "cc/toolchain.h"

#include <stdbool.h>

/* The name of the command when it stands in for nvcc. */
#define NVCC_NAME "nvcc"

/* Makes the folder `path`, or one below the user's cache where that is null, and prints its path. `cpu`: without a
 * toolkit. */
int cuda_home_make(const struct installation *installation, const char *path, bool cpu);
/* Lets the folder that holds this command as `program` (bin/nvcc) name the toolkit. */
void cuda_home_enter(const char *program);
/* True where the environment names such a folder without a toolkit: programs are compiled for the CPU device. */
bool cuda_home_chose_cpu(void);
/* True for such a folder; `*toolkit` is then the toolkit that it stands for, or null. The caller frees it. */
bool cuda_home_toolkit(const char *path, char **toolkit);

#endif
