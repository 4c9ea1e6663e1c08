/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What all kernels of `gpuprof peaks` have in common: parameters, the clock, the loop, the result. */
#ifndef GP_TOOL_PTX_PARTS_H
#define GP_TOOL_PTX_PARTS_H

#include "peaks/benchmarks.h"

/* From the head to the first clock. %out, %in, %clocks, %n, %size are read. %thread, %lane and %all are the number of the
 * thread in its block, in its warp, in the grid. %sum, the thread's result, is 0. `declare` are the kernel's own
 * registers and shared memory, `prepare` its work before the loop. */
void ptx_begin(struct text *ptx, const struct benchmark *benchmark);
/* The loop's head and tail: %n iterations. */
void ptx_loop(struct text *ptx);
void ptx_loop_end(struct text *ptx);
/* Behind the folding of the results into %sum: stores it and the clocks of the first thread. */
void ptx_end(struct text *ptx);
/* A line in which each @ is the number. */
void ptx_line(struct text *ptx, const char *line, unsigned number);

#endif
