/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of the CUDA runtime on the CPU device, as a table. */
#ifndef GP_CPU_API_TABLE_H
#define GP_CPU_API_TABLE_H

#include "exports/cudart.h"

/* Completes the table: functions missing on the CPU device return cudaErrorNotSupported and report it once.
 * Call it first, and once. */
void gp_cpu_api_open(void);
const struct gp_cudart *gp_cpu_api(void);

#endif
