/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* GPUPROF_WARMUP=N: the first N executions of a repeating region or kernel are left out. The outermost one
 * around a launch with more than N executions decides. It is a region within its path, or else the kernel
 * within its region (not: within a step). With at most N executions it is reported as a whole: no report is
 * emptied. The number of executions is not known in advance. Early executions and launches therefore have
 * contexts of their own, and the report decides.
 */
#ifndef GP_WARMUP_H
#define GP_WARMUP_H

#include "core/kernels.h"

#include <stdint.h>

/* The context recording a launch: that of the kernel's early launches, or `context`. The caller holds the
 * kernel's lock. */
struct gp_context *gp_warmup_context(struct gp_kernel *kernel, struct gp_context *context, int device);

/* Launches of a kernel in a region with all its steps, on one device. */
struct gp_warmup_tally {
  struct gp_link link; /* in gp_kernel.warmups */
  const struct gp_context *region;
  int device;
  uint64_t launches, early; /* guarded by gp_records_lock() */
};
/* The tally of a new record; null without GPUPROF_WARMUP or memory. The caller holds the kernel's lock. */
struct gp_warmup_tally *gp_warmup_tally(struct gp_kernel *kernel, const struct gp_context *context, int device);
/* Counts one more launch of the record. The caller holds gp_records_lock(). */
void gp_warmup_launched(const struct gp_record *record);

/* The decision on the way from the root to a context. */
struct gp_warmup {
  int decided;  /* a region around it repeats */
  int left_out; /* and this is one of its first executions */
};
/* The decision for a context within one decided as `around`; early launches are decided by kernel (below). */
struct gp_warmup gp_warmup_of(const struct gp_context *context, struct gp_warmup around);
/* Without repetition around it: true for early launches of a kernel launched more often. */
int gp_warmup_leaves_out(const struct gp_record *record);
/* Number of executions of the context itself. */
uint64_t gp_warmup_executions(const struct gp_context *context);

#endif
