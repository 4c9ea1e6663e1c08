/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* GPUPROF_WARMUP=N: the first N executions of what repeats are left out. What repeats is the outermost thing around a launch
 * that ran more than N times: a region within its path, or else the kernel within its region (not: within a step). What runs no more than N
 * times is reported as a whole, so that no report is emptied. Since nobody knows how often something will run, early
 * executions and launches have contexts of their own, and the report decides.
 */
#ifndef GP_WARMUP_H
#define GP_WARMUP_H

#include "core/kernels.h"

#include <stdint.h>

/* The context in which a launch is recorded: that of the kernel's early launches, or `context`. The caller holds the
 * kernel's lock. */
struct gp_context *gp_warmup_context(struct gp_kernel *kernel, struct gp_context *context, int device);

/* Launches of a kernel in a region with all its steps, on one device. */
struct gp_warmup_tally {
  struct gp_link link; /* in gp_kernel.warmups */
  const struct gp_context *region;
  int device;
  uint64_t launches, early; /* guarded by gp_records_lock() */
};
/* That of a new record; null without GPUPROF_WARMUP or memory. The caller holds the kernel's lock. */
struct gp_warmup_tally *gp_warmup_tally(struct gp_kernel *kernel, const struct gp_context *context, int device);
/* The record was launched once more. The caller holds gp_records_lock(). */
void gp_warmup_launched(const struct gp_record *record);

/* What is decided on the way from the root to a context. */
struct gp_warmup {
  int decided;  /* something around repeats */
  int left_out; /* and this is one of its first executions */
};
/* Of a context within one for which `around` holds; early launches are decided by kernel (below). */
struct gp_warmup gp_warmup_of(const struct gp_context *context, struct gp_warmup around);
/* Where nothing around repeats: whether these are early launches of a kernel that was launched more often. */
int gp_warmup_leaves_out(const struct gp_record *record);
/* Executions of the context itself. */
uint64_t gp_warmup_executions(const struct gp_context *context);

#endif
