/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ranges shown by tools on their time lines, one a region and launch. runtime/cuda makes them NVTX ranges
 * (base/process_calls.h); without NVTX's headers at build time no tool listens.
 */
#ifndef GP_RANGES_H
#define GP_RANGES_H

#include <stdatomic.h>
#include <stdint.h>

struct gpuprof_region_site;

/* 1 once no tool is known to listen: calls are then unnecessary. */
extern _Atomic int gp_ranges_silent;
static inline int gp_ranges_heard(void) { return !atomic_load_explicit(&gp_ranges_silent, memory_order_relaxed); }
/* 1: the ranges of regions are wanted for a trace, too (GPUPROF_TRACE). */
extern _Atomic int gp_ranges_traced;
static inline int gp_ranges_wanted(void) {
  return gp_ranges_heard() || atomic_load_explicit(&gp_ranges_traced, memory_order_relaxed);
}

/* Opens a range on the calling thread. `site` identifies the region and keeps the tool library's data in its
 * `runtime` (null: nothing is kept). `color` is 0xRRGGBB, 0 = the tool's own choice; `category` may be null
 * or empty. `execution` is the number of this execution, shown as the range's payload. */
void gp_range_push(struct gpuprof_region_site *site, const char *name, uint32_t color, const char *category,
                   uint64_t execution);
/* Closes the innermost range opened by this thread. */
void gp_range_pop(void);
/* The range of a launch, named after its kernel. It is no region, and not in the trace, which has the launch itself. */
void gp_launch_range_push(struct gpuprof_region_site *site, const char *name, uint64_t launch);
void gp_launch_range_pop(void);

#endif
