/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* GPUPROF_HARDWARE: the hardware counters to be read, and their sums. A device reads them
 * (gp_device_ops.measure); report/hardware_check.h compares them.
 */
#ifndef GP_HARDWARE_PLAN_H
#define GP_HARDWARE_PLAN_H

#include "gpuprof/abi.h"
#include "sheet/costs.h"
#include "sheet/lane_bytes.h"

#include <stddef.h>
#include <stdint.h>

enum gp_hardware {
#define GP_HARDWARE(identifier, metrics) GP_HARDWARE_##identifier,
#include "core/hardware_counters.inc"
  GP_HARDWARE_COUNT
};

#define GP_HARDWARE_MOST 40

/* Counters by their key in the report, each a sum of metrics (hardware_counters.inc). */
struct gp_hardware_plan {
  int check; /* the counters are those of hardware_counters.inc, in its order */
  size_t count;
  signed char place[GP_HARDWARE_COUNT]; /* of a counter of hardware_counters.inc, or -1 */
  struct {
    const char *key, *metrics;
  } counters[GP_HARDWARE_MOST];
};

/* The plan requested by GPUPROF_HARDWARE; null: nothing. */
const struct gp_hardware_plan *gp_hardware_plan(void);
/* The plan of a setting: "check", "bytes", or names of metrics separated by commas. Returns 0. Returns -1 for "off",
 * for too many names, and when memory is exhausted. Names point into a copy of `setting`, never freed.
 */
int gp_hardware_plan_of(const char *setting, struct gp_hardware_plan *plan);

/* Counts by instrumented kernels of `launches` launches (warp_bytes.h), by the classes of
 * GPUPROF_WARP_CLASSES, then GPUPROF_WARP_PARTS. They are bytes requested by lanes, and bytes with each byte of
 * a warp counted once. */
struct gp_warp_bytes {
  uint64_t launches;
  uint64_t requested[GPUPROF_WARP_COUNTS], distinct[GPUPROF_WARP_COUNTS];
};

/* Values of `launches` launches; GP_UNKNOWN if one of them had none. */
struct gp_hardware_sum {
  uint64_t launches;
  uint64_t own_bytes; /* loaded by gpuprof itself: the address of a kernel's counters, once a warp */
  uint64_t constants; /* maximum number made by ptxas with instructions of half arithmetic */
  uint64_t wordwise; /* launches whose machine code loads shared memory by less than 16 bytes at a time */
  struct gp_lane_shares shares; /* of their blocks' shapes */
  struct gp_warp_bytes warps;   /* present even if the hardware was not measured */
  double value[GP_HARDWARE_MOST];
};
void gp_hardware_add(struct gp_hardware_sum *to, const struct gp_hardware_sum *from);
/* The same for mostly missing sums: *to is null until there is something to add. Without memory nothing is
 * added. */
void gp_hardware_add_to(struct gp_hardware_sum **to, const struct gp_hardware_sum *from);

#endif
