/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* GPUPROF_UNIQUE_FILE: unique bytes that another run of the same program found (GPUPROF_UNIQUE=1). */
#ifndef GP_UNIQUE_H
#define GP_UNIQUE_H

#include "report/aggregate.h"

/* Gives rows the unique bytes that the file has for them. A line is of a region or a kernel:
 *   region|kernel TAB launches TAB flops TAB global bytes TAB unique bytes TAB path
 * A row whose counts differ from the line's keeps what it has, and the report says so. */
void gp_unique_apply(struct gp_aggregate *aggregate, const char *path);

#endif
