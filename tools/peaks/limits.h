/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a multiprocessor can do in a clock: a benchmark that seems to do more did not do its work. */
#ifndef GP_TOOL_LIMITS_H
#define GP_TOOL_LIMITS_H

#include "peaks/benchmarks.h"
#include "peaks/driver.h"

/* FLOPs, operations or bytes of a multiprocessor in a clock; 0: not known. */
double limit_per_clock(const struct benchmark *benchmark, unsigned capability);
/* Bytes a second of the memory's pins; 0: not known. */
double limit_of_memory(const struct gpu *gpu);

#endif
