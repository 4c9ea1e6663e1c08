// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/ranges.h"

#include "base/process_calls.h"

_Atomic int gp_ranges_silent, gp_ranges_traced;

void gp_range_push(struct gpuprof_region_site *site, const char *name, uint32_t color, const char *category,
                   uint64_t execution) {
  gp_process_calls.range_push(site, name, color, category, execution);
}

void gp_range_pop(void) { gp_process_calls.range_pop(); }

void gp_launch_range_push(struct gpuprof_region_site *site, const char *name, uint64_t launch) {
  gp_process_calls.launch_range_push(site, name, launch);
}

void gp_launch_range_pop(void) { gp_process_calls.launch_range_pop(); }
