/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of a contribution: used by contribution*.c only. Each returns 0, or -1 when memory is exhausted. */
#ifndef GP_CONTRIBUTION_PARTS_H
#define GP_CONTRIBUTION_PARTS_H

#include "report/contribution.h"
#include "report/report_synapses.h"

struct gp_contribution {
  struct gp_contributions *shared;
  const struct gp_record *record;
  size_t instance; /* of the record's kernel */
  const struct gp_sheet *sheet;
  const struct gp_sheet_kernel *kernel;
  const uint64_t *counts;
  struct gp_row *around;     /* of the sheet's outermost regions */
  struct gp_row *kernel_row; /* null: a warm-up, excluded from all kernels' totals */
  uint64_t step_id;          /* of the kernel's first region with steps */
  struct gp_row **regions;   /* rows of the sheet's regions, made on demand */
  struct gp_derived_synapses *derived; /* in regions with the clause synapse */
  size_t derived_count;
  int with_launches;         /* launches, times and unique bytes still have to be added to the region rows */
};

/* contribution.c: the row of a region of the sheet; null when memory is exhausted. */
struct gp_row *gp_contribution_row(struct gp_contribution *c, uint32_t region);
/* contribution_lines.c: executions of source lines. */
int gp_contribution_add_lines(struct gp_contribution *c);
/* contribution_empty.c: regions without counts. */
int gp_contribution_add_empty_regions(struct gp_contribution *c);
/* contribution_values.c: own counters, spikes and synaptic operations. */
int gp_contribution_derive_synapses(struct gp_contribution *c);
int gp_contribution_add_values(struct gp_contribution *c);
int gp_values_add(struct gp_scratch *memory, struct gp_values *to, const struct gp_sheet_value *value, uint64_t count);
/* contribution_steps.c: time steps, after derived synaptic operations. */
int gp_contribution_add_steps(struct gp_contribution *c);

#endif
