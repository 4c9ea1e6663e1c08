/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The hook around every kernel launch. */
#ifndef GP_LAUNCH_HOOK_H
#define GP_LAUNCH_HOOK_H

#include "base/device.h"

#include <stdint.h>

/* Performs the launch by call(closure) and returns its result. Counts and times it for the open region path
 * of the calling thread. With gpuprof off it only calls call(). A non-zero result of call() means no launch.
 * The id and device of `launch` are filled in here. If the kernel's clone cannot count the launch, the
 * instrumented kernel is launched instead of call(). */
int gp_launch(struct gp_launch launch, int (*call)(void *closure), void *closure);

/* Resident blocks of the twin with counters that launches of this host stub run. Negative: they run none, or it is
 * not known. */
int gp_launch_twin_blocks(const void *function, int block_size, size_t dynamic_shared_bytes, unsigned flags);

/* True if the calling thread's current launch is seen by the hook, or is one of gpuprof's own. */
int gp_launch_is_known(void);
/* Before (1) and after (-1) gpuprof's own launches on the calling thread. */
void gp_launch_hide(int change);

/* Time spent in the hook itself so far (without the launches), and its number of runs. */
uint64_t gp_launches_hook_ns(void);
uint64_t gp_launches_hooked(void);
/* True once the hook has been entered. A fork may come before it ran to its end. */
int gp_launches_begun(void);
/* In a forked child that counts for itself, and in one that does not: its first launch says so. */
void gp_launches_begin_anew(void);
void gp_launches_are_off(const char *why);
/* Says so now: a call before the first launch has failed. */
void gp_launches_tell_off(void);

#endif
