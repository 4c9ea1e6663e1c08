/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The short way of a launch that its thread has made before: no plan, no lock, and no call of the driver but the program's
 * own. */
#ifndef GP_LAUNCH_AGAIN_H
#define GP_LAUNCH_AGAIN_H

#include "base/device.h"
#include "launch/repeats.h"

/* Returns 1 and the result of call() if the launch could be made so. Otherwise it has not been made. */
int gp_launch_again(struct gp_launch *launch, int (*call)(void *closure), void *closure, int *result);

/* Time spent in the hook by these launches, in ticks (base/ticks.h). */
double gp_launches_again_ticks(void);

#endif
