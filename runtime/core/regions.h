/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Host regions: a stack a thread, and a tree of contexts shared by all threads. A context is the path of open
 * regions; launches and counters belong to contexts. Contexts live as long as the process.
 */
#ifndef GP_REGIONS_H
#define GP_REGIONS_H

#include "base/describe.h"
#include "base/table.h"
#include "core/distribution.h"
#include "core/host_times.h"
#include "core/synapses.h"
#include "gpuprof/abi.h"

#include <stdatomic.h>
#include <stdint.h>

/* Bounds of paths: regions opened deeper, or beyond so many contexts, count for the enclosing region. */
#define GP_DEPTH_MAXIMUM 128u
#define GP_CONTEXTS_MAXIMUM (1u << 20)

/* A region's facts, shared by all its contexts. */
struct gp_site {
  struct gp_link link; /* by its facts */
  struct gp_description description;
  int64_t step;
  unsigned char is_step; /* step_N, lasting until the next step or the end of the enclosing region */
  unsigned char ignored; /* of kind "ignore" */
  _Atomic unsigned char told_deep; /* set once its too deep opening was reported */
  _Atomic unsigned char has_paths; /* some context has this site */
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

/* Stated, counted and measured values of a context. Most contexts of a program with many have none. */
struct gp_context_values {
  double expected_flops, expected_bytes, expected_items; /* 0: not stated */
  struct gp_user_counter *counters, *last_counter;
  uint64_t spikes[GP_SPIKES];
  struct gp_synapses synapses;
  struct gp_distribution time; /* GPU time of each execution with a launch */
  struct gp_context_energy *energy; /* launch/energy_sampler.h; null: none */
};

struct gp_context {
  struct gp_link link;       /* by parent, site and `early` */
  struct gp_context *parent; /* null: the root, without an open region */
  struct gp_site *site;      /* null: the root, or the early launches of the parent */
  /* With GPUPROF_WARMUP=N the first N executions of a path have contexts of their own, as do the first N
   * launches of a kernel. The end of the program decides which of them are left out (warmup.h). */
  /* the context of the path; itself, except for contexts keeping early executions apart */
  struct gp_context *whole;
  int early;                /* it keeps early executions apart */
  int all_early;            /* as do all around it */
  _Atomic uint64_t entered;   /* executions; of a whole context: including those kept apart */
  _Atomic uint64_t apart;     /* those kept apart */
  _Atomic(struct gp_context *) children, sibling;
  struct gp_context *last_child;
  struct gp_record *records; /* kernels launched in it, newest first; guarded by gp_records_lock() */
  struct gp_context_values *values; /* null: none; guarded by gp_context_lock() */
  _Atomic(struct gp_host_times *) host_times; /* of each thread that took the path; only added to */
};

struct gp_context *gp_context_root(void);
/* How many there are, without the root. */
size_t gp_contexts_count(void);
/* The context for the first launches of a kernel; `context` itself at the bound of contexts. */
struct gp_context *gp_context_early_launches(struct gp_context *context);
void gp_context_lock(void);
void gp_context_unlock(void);
/* The values of the context, made if it has none; null when memory is exhausted. The caller holds
 * gp_context_lock(). */
struct gp_context_values *gp_context_own_values(struct gp_context *context);

/* One execution of a region with launches: collects their time until all have reported. */
struct gp_execution;

/* The context and execution of a launch on the calling thread. */
struct gp_here {
  struct gp_context *context;
  struct gp_execution *execution; /* referenced; null: in no region */
  int ignored;                    /* within `#pragma gpuprof ignore`: do not count */
};
struct gp_here gp_regions_here(void);
/* The launch took `ns`, or (timed = 0) its time will never be known; gives the reference back. */
void gp_execution_launch_done(struct gp_execution *execution, uint64_t ns, int timed);

/* Opens a region by its facts instead of a compiled site (public API). */
uint32_t gp_region_open(const char *name, const char *phase, const char *category);
/* Ends the step of the innermost open region, if it has one, and begins the step of this number. */
void gp_region_step(int64_t step);
/* The innermost open context of the thread if it is counted, or else null. */
struct gp_context *gp_regions_counted(void);
/* The same, but outside of regions the root. */
struct gp_context *gp_regions_context(void);
/* The context around the ignored statement that the thread is in; null: in none. */
struct gp_context *gp_regions_around_ignored(void);
/* The calling thread has waited for the device in the innermost open region, or outside of all. */
void gp_regions_wait(uint64_t ns);
/* Threads that have opened a region or waited for the device. */
uint32_t gp_regions_threads(void);
void gp_context_count(struct gp_context *context, const char *name, int64_t amount);
/* In a forked child: forgets all paths but those open on its thread, which begin here. */
void gp_regions_begin_anew(void);
/* Tests: maximum number of objects compared in a search for a region, a path or a counter. */
size_t gp_regions_longest_search(void);

#endif
