/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The threads of the machine that run the blocks of launches. One launch at a time has them: the caller sees
 * to that. Worker 0 is the launching thread itself. */
#ifndef GP_CPU_WORKERS_H
#define GP_CPU_WORKERS_H

#include "engine/emulator.h"

/* Nobody is woken for a launch that is expected to take less: who sleeps does not come to it. */
enum { GP_WORKERS_WORTH_WAKING_NS = 100000 };

/* Makes sure of up to `wanted` workers; returns how many there are, 0 without memory for a single one. */
uint32_t gp_workers_ensure(uint32_t wanted);
/* All workers that there are; the first gp_workers_ensure() ones are those of the next launch. */
struct gp_worker *const *gp_workers_all(uint32_t *count);
/* Runs a launch on up to so many workers, to its end; returns how many came to it. */
uint32_t gp_workers_run(struct gp_cpu_launch *, uint32_t workers);
/* Forgets all workers, which are in the middle of a launch. */
void gp_workers_abandon(void);

#endif
