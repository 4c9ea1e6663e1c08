/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A cheap clock for times of regions: the processor's time-stamp counter where it is invariant, or else
 * CLOCK_MONOTONIC. Reading it costs 6 to 10 ns instead of 24. The length of a tick is measured over the whole
 * run.
 */
#ifndef GP_TICKS_H
#define GP_TICKS_H

#include "base/clock.h"

#include <stdint.h>

/* 1 if ticks are those of the processor's counter. */
extern int gp_ticks_of_processor;

static inline uint64_t gp_ticks(void) {
#if defined(__x86_64__)
  if (gp_ticks_of_processor)
    return __builtin_ia32_rdtsc();
#endif
  return gp_now();
}

/* Chooses the counter. To be called before the first tick is read, and again in the child of a fork. */
void gp_ticks_start(void);
/* Nanoseconds of a tick. Exact to 1 in 10,000; a call within the first 250 us of the process waits until they
 * have passed. */
double gp_ticks_ns(void);
/* As of the last tenth of a second: without a measurement each time. */
double gp_ticks_ns_lately(void);
/* The counter's name in documents. */
const char *gp_ticks_source(void);

#endif
