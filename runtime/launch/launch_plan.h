/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How one launch is counted and timed: decided once, then carried out by launch_hook.c, which binds the counters, forwards the
 * launch and finishes it. */
#ifndef GP_LAUNCH_PLAN_H
#define GP_LAUNCH_PLAN_H

#include "base/device.h"
#include "core/kernels.h"
#include "core/regions.h"

struct gp_launch_plan {
  struct gp_context *context; /* counted for this path; null: not counted, and all below but `launches` is 0 */
  int launches;               /* 0: GPUPROF_COUNTS_ONLY, nothing runs */
  /* Before the launch. */
  int measures; /* hardware counters, by replay */
  /* In the kernel's place, tried in this order; the kernel itself where none of them can be launched. */
  const char *objection;       /* why no clone may count this launch: its instrumented kernel runs */
  int marks_in_place;          /* the kernel that marks sectors */
  int compares_lanes_in_place; /* the kernel that compares the addresses of lanes */
  /* Behind the launch. */
  int clone_counts; /* a clone counts it, if the kernel has one */
  int awaits;       /* its time and traffic arrive later */
};

/* Plans a launch by the calling thread's open region. The caller holds kernel->lock. */
struct gp_launch_plan gp_launch_plan(struct gp_kernel *kernel, const struct gp_launch *launch, const struct gp_here *here);

#endif
