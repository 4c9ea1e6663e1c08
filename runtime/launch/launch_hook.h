/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The hook around every kernel launch. */
#ifndef GP_LAUNCH_HOOK_H
#define GP_LAUNCH_HOOK_H

#include "base/device.h"

#include <stdint.h>

/* Performs the launch by call(closure) and returns its result; counts and times it for the region path that is open
 * on the calling thread. Falls through to call() at once when gpuprof is off. A non-zero result of call() means that
 * nothing was launched. Of `launch`, id and device are filled in here. Where the kernel's clone cannot count the launch,
 * its copy with counters is launched instead of call(). */
int gp_launch(struct gp_launch launch, int (*call)(void *closure), void *closure);

/* Whether a launch that the calling thread is making is one that the hook sees, or one of gpuprof's own. */
int gp_launch_is_known(void);
/* Before (1) and after (-1) launches of our own on the calling thread. */
void gp_launch_hide(int change);

/* What the hook itself cost so far (without the launches), and how often it ran. */
uint64_t gp_launches_hook_ns(void);
uint64_t gp_launches_hooked(void);
/* Has the hook been entered? A fork may come before it ran to its end. */
int gp_launches_begun(void);

#endif
