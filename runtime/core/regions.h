/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Host regions: a stack a thread, and a tree of contexts that all threads share. A context is the path of regions that
 * are open; launches and counters belong to contexts. Contexts live as long as the process.
 */
#ifndef GP_REGIONS_H
#define GP_REGIONS_H

#include "base/describe.h"
#include "base/table.h"
#include "core/distribution.h"
#include "gpuprof/abi.h"

#include <stdatomic.h>
#include <stdint.h>

/* Bounds of paths: what is opened deeper, or beyond so many contexts, counts for the region around it. */
#define GP_DEPTH_MAXIMUM 128u
#define GP_CONTEXTS_MAXIMUM (1u << 20)

/* A region's facts, shared by every context in which it is opened. */
struct gp_site {
  struct gp_link link; /* by its facts */
  struct gp_description description;
  int ignored; /* of kind "ignore" */
  _Atomic int told_deep; /* that it is opened deeper than paths are told apart */
  int64_t step;
  _Atomic int has_paths; /* some context is of this site */
  int is_step; /* step_N, which lasts until the next step or the end of the region around it */
  struct gpuprof_region_site nvtx; /* stands for this region in NVTX calls */
};

enum gp_spike { GP_SPIKE_POSITIVE, GP_SPIKE_NEGATIVE, GP_SPIKE_NONE, GP_SPIKES };

struct gp_user_counter {
  struct gp_link link;          /* by context and name */
  struct gp_user_counter *next; /* of the same context, in order of first use */
  const struct gp_context *context;
  int64_t value;
  char name[];
};

/* What was stated, counted and measured in a context. Most contexts of a program with many have none. */
struct gp_context_values {
  double expected_flops, expected_bytes, expected_items; /* 0: not stated */
  struct gp_user_counter *counters, *last_counter;
  uint64_t spikes[GP_SPIKES];
  struct gp_distribution time; /* GPU time of each execution that launched something */
};

struct gp_context {
  struct gp_link link;       /* by parent, site and `early` */
  struct gp_context *parent; /* null: the root, where no region is open */
  struct gp_site *site;      /* null: the root, or the early launches of the parent */
  /* With GPUPROF_WARMUP=N the first N executions of a path have contexts of their own, and so have the first N launches
   * of a kernel: which of them are left out is known when the program ends (warmup.h). */
  struct gp_context *whole; /* the context of the path; itself, but for contexts that keep early executions apart */
  int early;                /* it keeps early executions apart */
  int all_early;            /* and so do all around it */
  _Atomic uint64_t entered;   /* executions; of a whole context: also those that are kept apart */
  _Atomic uint64_t apart;     /* of these */
  _Atomic(struct gp_context *) children, sibling;
  struct gp_context *last_child;
  struct gp_record *records; /* kernels that were launched in it, newest first; guarded by gp_records_lock() */
  struct gp_context_values *values; /* null: none; guarded by gp_context_lock() */
};

struct gp_context *gp_context_root(void);
/* Where the first launches of a kernel are kept apart; the context itself where the bound of contexts is reached. */
struct gp_context *gp_context_early_launches(struct gp_context *context);
void gp_context_lock(void);
void gp_context_unlock(void);
/* Those of the context, made if it has none; null when memory is exhausted. The caller holds gp_context_lock(). */
struct gp_context_values *gp_context_own_values(struct gp_context *context);

/* One execution of a region in which kernels were launched: collects their time until all have reported. */
struct gp_execution;

/* What a launch on the calling thread belongs to. */
struct gp_here {
  struct gp_context *context;
  struct gp_execution *execution; /* referenced; null: in no region */
  int ignored;                    /* within `#pragma gpuprof ignore`: do not count */
};
struct gp_here gp_regions_here(void);
/* The launch took `ns`, or (timed = 0) it will never be known; gives the reference back. */
void gp_execution_launch_done(struct gp_execution *execution, uint64_t ns, int timed);

/* Opens a region by its facts rather than by a compiled site (public API). */
uint32_t gp_region_open(const char *name, const char *phase, const char *category);
/* Ends the step of the innermost open region, if it is in one, and begins the step of this number. */
void gp_region_step(int64_t step);
/* The innermost open context of the thread if it is being counted, else null. */
struct gp_context *gp_regions_counted(void);
/* The same, but outside of regions the root. */
struct gp_context *gp_regions_context(void);
void gp_context_count(struct gp_context *context, const char *name, int64_t amount);
/* Tests: how many objects a search for a region, a path or a counter compares at most. */
size_t gp_regions_longest_search(void);

#endif
