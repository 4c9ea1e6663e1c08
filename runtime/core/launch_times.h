/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Launches whose facts arrive later: their times, and what the device tells of their memory traffic. Thread-safe. */
#ifndef GP_LAUNCH_TIMES_H
#define GP_LAUNCH_TIMES_H

#include "core/kernels.h"
#include "core/regions.h"

#include <stdint.h>

/* Facts of launch `id` go to the record; the execution is referenced until the time arrives. */
void gp_launch_times_await(uint64_t id, struct gp_record *record, struct gp_execution *execution);
/* The launch did not happen. */
void gp_launch_times_cancel(uint64_t id);
/* Launches whose time never came. */
uint64_t gp_launches_untimed(void);

#endif
