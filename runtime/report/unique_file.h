/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* GPUPROF_UNIQUE_FILE: unique bytes found by another run of the same program (GPUPROF_UNIQUE=1). */
#ifndef GP_UNIQUE_H
#define GP_UNIQUE_H

#include "report/aggregate.h"

/* Gives rows their unique bytes from the file. A line belongs to a region or a kernel:
 *   region|kernel TAB launches TAB flops TAB global bytes TAB unique bytes TAB path
 * A row with other counts than its line stays unchanged, and the report says so. */
void gp_unique_apply(struct gp_aggregate *aggregate, const char *path);

#endif
