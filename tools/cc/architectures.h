/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* GPU architectures as nvcc names them. */
#ifndef GP_TOOL_ARCHITECTURES_H
#define GP_TOOL_ARCHITECTURES_H

#include "cc/line.h"

#include <stdbool.h>

/* "sm_90" of sm_90, compute_90 and lto_90, with their letter; null for anything else. The caller frees it. */
char *architecture_real(const char *name);
/* Adds those of the GPUs of this machine; with none, says so and adds none. */
void architectures_native(struct line *line);
/* Adds those that this clang and a toolkit (CUDA_VERSION) know; `major_only`: the first of each generation. */
void architectures_every(struct line *line, int toolkit, bool major_only);

#endif
