/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts × cost sheets → totals per region path and per kernel. */
#ifndef GP_AGGREGATE_H
#define GP_AGGREGATE_H

#include "base/device.h"
#include "base/scratch.h"
#include "core/distribution.h"
#include "core/hardware_plan.h"
#include "core/regions.h"
#include "launch/energy_sampler.h"
#include "report/host_row.h"
#include "sheet/costs.h"
#include "sheet/units.h"
#include "timeline/copy_sums.h"

#include <stddef.h>
#include <stdint.h>

/* The work of one source line. */
struct gp_line {
  const char *file;
  uint32_t line;
  uint64_t flops;
  uint64_t bytes; /* requested of global memory */
  uint64_t shared_bytes, special_functions, integer_ops;
  uint64_t vague_bytes; /* part with an unknown pattern of sharing between lanes (lane_bytes.h) */
  /* By threads. A line may be in several blocks, as in an unrolled loop. Within one kernel and context the
   * block with most executions counts. */
  uint64_t executions;
};

struct gp_counter {
  const char *name;
  int64_t value;
};

/* GPU time. `parts` are copies; for a host region they hold one value an execution, for a kernel one a launch. */
struct gp_times {
  uint64_t total;
  uint64_t timed; /* launches in `total` */
  enum gp_time_source source;
  struct gp_distribution *parts;
  size_t part_count;
};

/* Own counters, spikes and synaptic operations: of a region, or of one of its steps. */
struct gp_values {
  struct gp_counter *counters;
  size_t counter_count;
  uint32_t *places; /* rows.c: the place of a counter by its name, if there are many; otherwise null */
  size_t place_mask;
  uint64_t spikes[GP_SPIKES];
  int has_spikes; /* a spike directive stands there */
  struct gp_synapses synapses;
};

/* The work of a region in one time step. */
#define GP_OTHER_STEPS INT64_MIN /* the sum of steps without a row of their own on the device */
struct gp_step {
  int64_t number;
  uint64_t flops, bytes; /* like those of a line */
  struct gp_values values;
};

/* CUDA memory of devices, as in struct gp_usage_region. */
struct gp_row_memory {
  uint64_t allocated_bytes, released_bytes, allocations, releases, peak_bytes;
};

/* A region (by path) or a kernel. */
struct gp_row {
  struct gp_link link; /* among the rows of the same parent, by key */
  struct gp_scratch *memory;
  struct gp_row *parent, *next, *children, *last_child;
  size_t child_count;
  struct gp_table *by_key; /* of many children; otherwise null */
  const char *key;         /* unique among the parent's children: a region's name, a kernel's mangled name */
  char *path;
  const char *name, *mangled, *kind, *file, *phase, *category; /* file, phase, category, mangled may be null */
  char *demangled; /* kernels: the storage of `name`, or null */
  uint32_t line;
  int in_kernel;     /* a part of a kernel: its launches are those of the enclosing row */
  int whole_kernel;  /* … and it is the whole kernel: times and unique bytes are its own */
  int is_step;       /* a step_N of host code: `step` is its number */
  int64_t step;
  uint64_t latest_record; /* its launches were added last; private to contribution.c */
  int warmup;        /* in a warm-up phase: excluded from enclosing totals */
  int derives_synapses; /* it, or an enclosing row, has the clause synapse */
  uint64_t left_out_executions, left_out_launches; /* by GPUPROF_WARMUP */
  int partial;       /* a host region shown without the first launches of its executions */
  int shown;         /* passes GPUPROF_FILTER */
  unsigned counted_by; /* kernels: bit k for each enum gp_clone_kind k of its run instances */
  int has_executions;
  uint64_t executions, launches, threads;
  uint64_t uncounted_launches; /* part of `launches` without counts */
  uint64_t plain_launches;     /* part of `launches` whose counts are taken from the others (GPUPROF_SAMPLE) */
  struct gp_totals totals;
  struct gp_times time;
  uint64_t unique_bytes, unique_launches;
  uint64_t requests, request_sectors, request_launches;
  struct gp_hardware_sum *hardware; /* null: nothing was measured */
  struct gp_host_row host;
  struct gp_energy energy;
  struct gp_row_shapes *shapes;     /* row_shapes.h; null: of no launch */
  double expected_flops, expected_bytes, expected_items; /* 0: not stated */
  struct gp_copy_sums *copies; /* null: none */
  struct gp_values values;
  struct gp_row_memory memory_usage; /* regions of the host */
  struct gp_step *steps; /* sorted by number */
  size_t step_count;
  struct gp_line *lines; /* sorted by file and line, without those of enclosed rows */
  size_t line_count, line_bound; /* rows.c: number at which lines of one place are added up */
};

struct gp_uncounted {
  const char *what, *why, *file; /* file may be null */
  uint32_t line;
  char *path;        /* launches: of the region; else null */
  uint64_t launches; /* 0: it is no uncounted launch */
};

/* All zero if nothing was measured. */
static inline const struct gp_hardware_sum *gp_row_hardware(const struct gp_row *row) {
  static const struct gp_hardware_sum none;
  return row->hardware ? row->hardware : &none;
}

/* True if some of the row's launches have counts. */
static inline int gp_row_is_counted(const struct gp_row *row) {
  return !row->uncounted_launches || row->uncounted_launches < row->launches;
}

/* The work of all kernels on one device. */
struct gp_device_sum {
  uint64_t launches, threads;
  struct gp_totals totals;
};

struct gp_reading;
struct gp_traced;

struct gp_aggregate {
  /* the root: its children are the outermost regions; its own numbers are meaningless */
  struct gp_row regions;
  struct gp_row kernels; /* its children are the kernels, in order of first launch */
  struct gp_device_sum devices[GP_DEVICES];
  uint64_t regions_ns; /* host time in regions, of all threads, warm-up included */
  uint32_t host_threads;
  uint64_t executions; /* of all host regions */
  struct gp_uncounted *uncounted;
  size_t uncounted_count;
  struct gp_scratch memory;   /* of rows and their parts */
  struct gp_reading *reading; /* until the rows are made */
  struct gp_traced *traced;   /* work of records, for the trace (report_timeline.h); null: none */
};

/* Makes room for a reading, while launches go on. Null when memory is exhausted. */
struct gp_aggregate *gp_aggregate_prepare(void);
/* Reads all counters. The device should have been flushed. Returns 0, or -1 when memory is exhausted. */
int gp_aggregate_read(struct gp_aggregate *aggregate);
/* Makes the rows of the reading. `torn`: counts are of several moments. Returns 0, or -1 when memory is
 * exhausted. */
int gp_aggregate_add_up(struct gp_aggregate *aggregate, int torn);
/* Both, of one moment. */
struct gp_aggregate *gp_aggregate_make(void);
void gp_aggregate_free(struct gp_aggregate *aggregate);

#endif
