/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The data of a document at one moment. Launches wait during the reading: only necessary work is done here.
 */
#ifndef GP_READING_H
#define GP_READING_H

#include "base/scratch.h"
#include "core/kernels.h"
#include "core/regions.h"
#include "core/time_steps.h"
#include "core/warmup.h"
#include "launch/energy_sampler.h"
#include "report/host_row.h"
#include "report/uncounted_entries.h"

#include <stdint.h>

struct gp_callee_reading {
  const struct gp_callee *callee; /* null: the last one was before */
  const uint64_t *counts;
  int error;
};

struct gp_record_reading {
  const struct gp_record *original;
  struct gp_record record; /* a copy; gp_reading_samples() brings the samples of its time */
  size_t instance_count; /* of its kernel: a library opened since the reading may have added one */
  uint64_t *counts[GP_INSTANCES];
  int error; /* of the device: then all counts are 0 */
  int early; /* gp_warmup_leaves_out() */
  uint64_t lost; /* gp_clones_lost() */
  struct gp_callee_reading *callees; /* null: none */
  int has_other_times;               /* of another run (times_file.h) */
  size_t place;                      /* among the records of its context, the newest first */
};

struct gp_context_reading {
  struct gp_context *context;
  struct gp_warmup warmup;
  uint64_t executions;
  struct gp_energy energy;
  struct gp_context_values *values; /* a copy with counters of its own; null: none */
  struct gp_host_row host;
  size_t first_record, record_count;
  int has_other_times; /* of executions, of another run */
  size_t end; /* behind the last context within this one */
};

struct gp_reading {
  struct gp_scratch *memory;
  struct gp_context_reading *contexts; /* each before those within it */
  size_t context_count, context_room;
  struct gp_record_reading *records; /* context by context */
  size_t record_count, record_room;
  size_t counts_bytes; /* of all records */
  struct gp_step_lines steps;
  int step_error;
  int fault; /* gp_snapshot_fault() */
  uint64_t host_now; /* the clock of regions at the reading */
  double tick_ns;
  struct gp_uncounted_entries uncounted;
};

/* Makes room in `memory` for what there is by now, while launches go on. Returns 0, or -1 when memory is exhausted. */
int gp_reading_prepare(struct gp_reading *reading, struct gp_scratch *memory);
/* Reads, with more room where more has come. Returns 0, or -1 when memory is exhausted; gp_reading_end() in both cases. */
int gp_reading_begin(struct gp_reading *reading);
void gp_reading_end(struct gp_reading *reading);
/* Makes the samples those of the time of reading; -1 when memory is exhausted. */
int gp_reading_samples(struct gp_reading *reading, struct gp_record_reading *record);
int gp_reading_value_samples(struct gp_reading *reading, const struct gp_context_reading *context);
/* Warns of counts of the record's kernel that the device did not hand over. */
void gp_reading_warn(const struct gp_record *record, int error);

#endif
