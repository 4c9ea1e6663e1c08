/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls from the lower layers up to runtime/process. runtime/process defines the table, and its definition
 * replaces the weak one of process_calls.c at link time. The lower layers therefore name nothing above them,
 * and the table is complete before the first constructor of a program runs.
 */
#ifndef GP_PROCESS_CALLS_H
#define GP_PROCESS_CALLS_H

#include "base/state.h"

#include <stdint.h>

struct gp_device_ops;
struct gp_module;
struct gp_unit;
struct gpuprof_region_site;

struct gp_process_calls {
  enum gp_state (*first_state)(void); /* reads the settings */
  const struct gp_device_ops *(*choose_device)(void);
  void (*before_registration)(void); /* of a module */
  /* base/state.h describes the occasions. */
  void (*before_launch)(void);
  void (*before_counted_launch)(void);
  void (*report_changes)(void);
  void (*ask_for_end)(void);
  void (*settle_launches)(void); /* brings the numbers of launches in records up to date (launch/repeats.h) */
  /* A module or unit is about to be unregistered: the last moment to read its counts. */
  void (*module_leaves)(const struct gp_module *module);
  void (*unit_leaves)(const struct gp_unit *unit);
  /* Ranges (core/ranges.h): of regions, for tools and the trace; of launches, for tools. */
  void (*range_push)(struct gpuprof_region_site *site, const char *name, uint32_t color, const char *category,
                     uint64_t execution);
  void (*range_pop)(void);
  void (*launch_range_push)(struct gpuprof_region_site *site, const char *name, uint64_t launch);
  void (*launch_range_pop)(void);
};

/* No member is null. */
extern const struct gp_process_calls gp_process_calls;

#endif
