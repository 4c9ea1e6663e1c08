// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/contribution.h"

#include "core/kernels.h"
#include "report/contribution_parts.h"
#include "report/rows.h"
#include "report/uncounted_entries.h"

#include <stdlib.h>
#include <string.h>

struct gp_row *gp_contribution_row(struct gp_contribution *c, uint32_t region) {
  if (region == GP_NONE)
    return c->around;
  if (c->regions[region])
    return c->regions[region];
  const struct gp_sheet_region *facts = &c->sheet->regions[region];
  struct gp_row *around = gp_contribution_row(c, facts->parent);
  struct gp_row *row = around ? gp_row_child(around, facts->description.name) : NULL;
  if (!row)
    return NULL;
  gp_row_describe(row, &facts->description);
  row->in_kernel = 1;
  row->whole_kernel = facts->parent == GP_NONE && !strcmp(row->kind, "kernel");
  c->regions[region] = row;
  if (!c->with_launches || row->latest_record == c->shared->number)
    return row;
  row->latest_record = c->shared->number; /* otherwise each chain of calls to it would add the launches */
  row->launches += c->record->launches;
  row->uncounted_launches += c->shared->uncounted;
  row->plain_launches += c->record->plain_launches;
  row->threads += c->record->threads;
  if (!row->whole_kernel)
    return row;
  row->executions += c->record->launches;
  row->has_executions = 1;
  gp_row_add_measurements(row, c->record);
  return gp_row_add_part(row, &c->record->time) ? NULL : row;
}

static int add_amount(struct gp_row *row, const struct gp_sheet_term *term, const char *file, uint64_t amount) {
  row->totals.amount[term->cost] += amount;
  if (!file)
    return 0;
  const struct gp_line line = {.file = file,
                               .line = term->line,
                               .flops = amount * gp_cost_classes[term->cost].flops,
                               .bytes = gp_cost_adds_to(term->cost, "global") ? amount : 0,
                               .shared_bytes = gp_cost_adds_to(term->cost, "shared") ? amount : 0,
                               .special_functions = term->cost == GP_COST_special ? amount : 0,
                               .integer_ops = term->cost == GP_COST_integer ? amount : 0,
                               .vague_bytes = gp_lanes_are_vague(term->cost) ? amount : 0};
  return gp_row_add_line(row, &line);
}

static int add_uncounted(const struct gp_contribution *c, struct gp_uncounted entry) {
  return gp_uncounted_add_code(&c->shared->reading->uncounted, c->shared->aggregate, entry);
}

static int add_terms(struct gp_contribution *c) {
  for (size_t i = 0; i < c->kernel->term_count; i++) {
    const struct gp_sheet_term *term = &c->kernel->terms[i];
    const char *file = term->file == GP_NONE ? NULL : c->sheet->files[term->file];
    uint64_t amount = c->counts[term->group] * term->amount;
    struct gp_row *row = gp_contribution_row(c, term->region);
    if (!row || (amount && add_amount(row, term, file, amount)) ||
        (amount && c->kernel_row && add_amount(c->kernel_row, term, file, amount)))
      return -1;
  }
  for (size_t i = 0; i < c->kernel->uncounted_count; i++) {
    const struct gp_sheet_uncounted *u = &c->kernel->uncounted[i];
    const char *file = u->file == GP_NONE ? NULL : c->sheet->files[u->file];
    if (c->counts[u->group == GP_NONE ? 0 : u->group] &&
        add_uncounted(c, (struct gp_uncounted){.what = u->what, .why = u->why, .file = file, .line = u->line}))
      return -1;
  }
  return 0;
}

static int add_calls(struct gp_contribution *caller, const struct gp_callee *callee);

static int add_all(struct gp_contribution *c, const struct gp_callee *callee) {
  return add_terms(c) || gp_contribution_derive_synapses(c) || gp_contribution_add_empty_regions(c) ||
         gp_contribution_add_lines(c) || gp_contribution_add_values(c) || gp_contribution_add_steps(c) ||
         add_calls(c, callee);
}

static int add_contribution(struct gp_contribution *c, const struct gp_callee *callee) {
  c->derived = NULL; /* a callee's contribution begins as a copy of its caller's */
  c->derived_count = 0;
  const int failed = add_all(c, callee);
  free(c->derived);
  return failed ? -1 : 0;
}

static struct gp_row **rows_of_regions(struct gp_contribution *c) {
  return c->regions = gp_scratch_get(c->shared->memory, (c->sheet->region_count + 1) * sizeof *c->regions);
}

static int add_callee(struct gp_contribution *caller, const struct gp_callee_reading *read) {
  const struct gp_callee *callee = read->callee;
  const struct gp_sheet_call *call = &caller->kernel->calls[callee->call];
  if (!callee->at.unit)
    return add_uncounted(
        caller, (struct gp_uncounted){.what = call->name,
                                      .why = "its file was compiled without the gpuprof plugin, or lies in a library "
                                             "before the files that call it"});
  struct gp_contribution c = *caller;
  c.sheet = callee->at.unit->sheet;
  c.kernel = gp_instance_sheet(&callee->at);
  c.around = gp_contribution_row(caller, call->region);
  c.step_id = callee->step_id;
  c.counts = read->counts;
  if (!rows_of_regions(&c) || !c.around)
    return -1;
  if (read->error)
    gp_reading_warn(c.record, read->error);
  return add_contribution(&c, callee); /* even without a thread in it: its regions keep their rows */
}

/* Adds the work of functions of other units reached by the contribution's calls. */
static int add_calls(struct gp_contribution *caller, const struct gp_callee *from) {
  for (const struct gp_callee_reading *read = caller->shared->read->callees; read && read->callee; read++)
    if (read->callee->instance == caller->instance && read->callee->caller == from && add_callee(caller, read))
      return -1;
  return 0;
}

/* The ways of counting the instance, bit k for enum gp_clone_kind k. Counters of a cloned kernel belong to
 * its instrumented twin, run where the clone could not count. */
static unsigned ways_of(const struct gp_record *record, size_t index) {
  const enum gp_clone_kind kind = gp_instance_sheet(&record->kernel->instances[index])->clone.kind;
  const int in_kernel = record->counters[index] || record->saved[index];
  return (in_kernel ? 1u << GP_CLONE_NONE : 0) | (record->tallies || !in_kernel ? 1u << kind : 0);
}

int gp_contribution_add(struct gp_contributions *shared, size_t instance, struct gp_row *around, struct gp_row *kernel,
                        int with_launches, uint64_t *threads) {
  const struct gp_record *record = &shared->read->record;
  const struct gp_kernel_instance *of = &record->kernel->instances[instance];
  struct gp_contribution c = {.shared = shared,
                              .record = record,
                              .instance = instance,
                              .sheet = of->unit->sheet,
                              .kernel = gp_instance_sheet(of),
                              .around = around,
                              .kernel_row = kernel,
                              .counts = shared->read->counts[instance],
                              .step_id = record->step_ids[instance],
                              .with_launches = with_launches};
  const uint64_t *counts = c.counts;
  int result = rows_of_regions(&c) ? 0 : -1;
  *threads = counts[0];
  /* Instances without a run would only add empty rows beside those of the one run. */
  if (!result && (counts[0] || shared->read->instance_count == 1))
    result = add_contribution(&c, NULL);
  if (!result && kernel && !kernel->file && c.kernel->file != GP_NONE) {
    kernel->file = c.sheet->files[c.kernel->file];
    kernel->line = c.kernel->line;
  }
  if (!result && kernel && counts[0])
    kernel->counted_by |= ways_of(record, instance);
  return result;
}
