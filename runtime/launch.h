/* The hook around every kernel launch. */
#ifndef GP_LAUNCH_H
#define GP_LAUNCH_H

#include <stdint.h>

/* Performs the launch by call(closure) and returns its result; counts and times it for the region path that is open
 * on the calling thread. Falls through to call() at once when gpuprof is off. A non-zero result of call() means that
 * nothing was launched. */
int gp_launch(const void *function, const uint32_t grid[3], const uint32_t block[3], uint64_t dynamic_shared,
              void *stream, void **arguments, int (*call)(void *closure), void *closure);

/* 1 while gpuprof is on: not switched off by GPUPROF_ENABLE=0, not in a forked child of a profiled process. */
int gp_enabled(void);

/* What the hook itself cost so far (without the launches), how often it ran, and launches whose time never came. */
uint64_t gp_launches_hook_ns(void);
uint64_t gp_launches_hooked(void);
uint64_t gp_launches_untimed(void);

#endif
