/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The flags by which libclang finds CUDA: a toolkit's headers, or gpuprof's own. */
#ifndef GP_TOOL_SCAN_HEADERS_H
#define GP_TOOL_SCAN_HEADERS_H

#include "cc/line.h"

#include <stdbool.h>

/* Flags before those of a file. gpuprof's own headers are read five times as fast as a toolkit's, and are enough for most
 * files: the toolkit's are for those in which the compiler finds an error without them. */
struct headers {
  struct line own, toolkit; /* of CUDA files; an empty line: there is none */
  struct line host;
};

/* `own_alone`: also where there is a toolkit. Returns an exit code, after saying what is missing. */
int headers_find(struct headers *headers, bool own_alone);
void headers_free(struct headers *headers);

/* A header that exists in memory alone, which the toolkit's flags include. */
#define HEADERS_SHIMS "/gpuprof/cuda_shims.h"
extern const char *const headers_shims;

#endif
