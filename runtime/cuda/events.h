/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernel times from pairs of CUDA events, where CUPTI cannot be used. They include a few µs of launch
 * latency. */
#ifndef GP_EVENTS_H
#define GP_EVENTS_H

#include "base/device.h"

/* Around a launch, on the launching thread; not while its stream is captured. */
void gp_events_launch_begin(const struct gp_launch *launch);
void gp_events_launch_end(const struct gp_launch *launch, int error);
/* Waits for all launches that were timed and delivers their times. */
void gp_events_flush(void);
/* Delivers the times of launches that have ended, without waiting; 1 if those are all. */
int gp_events_idle(void);
/* The device was reset: its events are gone. */
void gp_events_forget(int device);

#endif
