/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a report says of how a run came about, and of what bounds its kernels. */
#ifndef GP_TOOL_SETUP_H
#define GP_TOOL_SETUP_H

#include "common/grid.h"
#include "reader/reader.h"

/* "O2, sm_90, clang 22.1.8": of each build; nothing in documents of earlier versions. */
void report_builds(struct text *text, const struct document *document);
/* What numbers mean: "an fma is 2 FLOP, …" */
void report_conventions(struct text *text, const struct document *document);
/* The least time that each resource needs for each kernel. */
void report_bounds(struct grid *grid, const struct document *document);

#endif
