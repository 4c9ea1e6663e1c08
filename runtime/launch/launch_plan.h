/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The plan of one launch's counting and timing, decided once. launch_hook.c then binds the counters, forwards
 * the launch and finishes it. */
#ifndef GP_LAUNCH_PLAN_H
#define GP_LAUNCH_PLAN_H

#include "base/device.h"
#include "core/kernels.h"
#include "core/regions.h"

struct gp_launch_plan {
  /* counted for this path; null: not counted, and all fields below except `launches` are 0 */
  struct gp_context *context;
  int is_plain;               /* the kernel itself runs, uncounted: sampling.h */
  int launches;               /* 0: GPUPROF_COUNTS_ONLY, nothing runs */
  /* Before the launch. */
  int measures; /* hardware counters, by replay */
  /* In the kernel's place, tried in this order; the kernel itself if none of them can be launched. */
  const char *objection;       /* reason against clones for this launch: its instrumented kernel runs */
  int marks_in_place;          /* the marking kernel */
  int compares_lanes_in_place; /* the kernel comparing the addresses of lanes */
  int runs_twin;               /* its twin with counters: no clone counts it */
  int gives_counters;          /* it gets the address of its counters: none are bound for it */
  int frees_lock; /* others may launch the kernel meanwhile, with the same counters: no clone has to follow it at once */
  /* Behind the launch. */
  int clone_counts; /* a clone counts it, if the kernel has one */
  int awaits;       /* its time and traffic arrive later */
  int drops_time;   /* it is not the time of a plain kernel, as others of its record are */
  int repeats;      /* a launch that is the same has the same plan (repeats.h) */
};

/* Plans a launch by the calling thread's open region. The caller holds kernel->lock. */
struct gp_launch_plan gp_launch_plan(struct gp_kernel *kernel, const struct gp_launch *launch, const struct gp_here *here);

#endif
