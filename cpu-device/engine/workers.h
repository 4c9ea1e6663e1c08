/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The threads of the machine running the blocks of launches. The caller ensures that one launch at a time
 * uses them. Worker 0 is the launching thread itself. */
#ifndef GP_CPU_WORKERS_H
#define GP_CPU_WORKERS_H

#include "engine/emulator.h"

/* Threads stay awake so long after a launch: about the time of waking a thread. */
enum { GP_WORKERS_AWAKE_NS = 50000 };

/* Ensures up to `wanted` workers; returns their number, 0 without memory for a single one. */
uint32_t gp_workers_ensure(uint32_t wanted);
/* All existing workers; the next launch uses the first ones, as many as gp_workers_ensure() returned at most. */
struct gp_worker *const *gp_workers_all(uint32_t *count);
/* Runs a launch on at most `workers` workers, to its end; returns how many came. */
uint32_t gp_workers_run(struct gp_cpu_launch *, uint32_t workers);
/* Forgets all workers, in the middle of a launch. */
void gp_workers_abandon(void);

#endif
