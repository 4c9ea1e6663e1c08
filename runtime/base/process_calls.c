// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/process_calls.h"

#include <stddef.h>

/* For a program of the lower layers alone: nothing is counted, and there is no device. */
static enum gp_state off(void) { return GP_OFF; }
static const struct gp_device_ops *no_device(void) { return NULL; }
static void nothing(void) {}
static void no_module(const struct gp_module *module) { (void)module; }
static void no_unit(const struct gp_unit *unit) { (void)unit; }
static void no_range(struct gpuprof_region_site *site, const char *name, uint32_t color, const char *category,
                     uint64_t execution) {
  (void)site, (void)name, (void)color, (void)category, (void)execution;
}
static void no_launch_range(struct gpuprof_region_site *site, const char *name, uint64_t launch) {
  (void)site, (void)name, (void)launch;
}

__attribute__((weak)) const struct gp_process_calls gp_process_calls = {
    .first_state = off,
    .choose_device = no_device,
    .before_registration = nothing,
    .before_launch = nothing,
    .before_counted_launch = nothing,
    .report_changes = nothing,
    .ask_for_end = nothing,
    .settle_launches = nothing,
    .module_leaves = no_module,
    .unit_leaves = no_unit,
    .range_push = no_range,
    .range_pop = nothing,
    .launch_range_push = no_launch_range,
    .launch_range_pop = nothing,
};
