/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Monotonic time, and the start of profiling in this process. */
#ifndef GP_CLOCK_H
#define GP_CLOCK_H

#include <stdint.h>

/* Monotonic time in ns. */
uint64_t gp_now(void);

/* Marks the start; a child marks it anew after a fork. */
void gp_clock_start(void);
uint64_t gp_start_ns(void);
/* Seconds since 1970. */
long long gp_start_seconds(void);

#endif
