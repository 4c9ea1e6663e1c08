/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernel times from pairs of CUDA events, used if CUPTI is unusable. They include a few µs of launch
 * latency. */
#ifndef GP_EVENTS_H
#define GP_EVENTS_H

#include "base/device.h"

/* Around a launch, on the launching thread; not while its stream is captured. */
void gp_events_launch_begin(const struct gp_launch *launch);
void gp_events_launch_end(const struct gp_launch *launch, int error);
/* Waits for all timed launches and delivers their times. */
void gp_events_flush(void);
/* Delivers the times of finished launches, without waiting; 1 if none is left. */
int gp_events_idle(void);
/* The device was reset: its events are gone. */
void gp_events_forget(int device);

#endif
