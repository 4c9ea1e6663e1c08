// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/contribution_parts.h"

#include "base/log.h"
#include "core/time_steps.h"
#include "report/rows.h"

#include <string.h>

static int is_within(const struct gp_sheet *sheet, uint32_t region, uint32_t around) {
  while (region != around && region != GP_NONE)
    region = sheet->regions[region].parent;
  return region == around;
}

/* Adds the work of one step of region `stepped` to a row of this region or of the kernel. */
static int add_step(struct gp_contribution *c, struct gp_row *row, uint32_t stepped, int64_t number,
                    const uint64_t *counts) {
  struct gp_step *step = gp_row_step(row, number);
  if (!step)
    return -1;
  for (size_t i = 0; i < c->kernel->term_count; i++) {
    const struct gp_sheet_term *term = &c->kernel->terms[i];
    if (!is_within(c->sheet, term->region, stepped))
      continue;
    uint64_t amount = counts[term->group] * term->amount;
    step->flops += amount * gp_cost_classes[term->cost].flops;
    step->bytes += gp_cost_adds_to(term->cost, "global") ? amount : 0;
  }
  for (size_t i = 0; i < c->kernel->value_count; i++) {
    const struct gp_sheet_value *value = &c->kernel->values[i];
    if (is_within(c->sheet, value->region, stepped) &&
        gp_values_add(row->memory, &step->values, value, counts[value->group]))
      return -1;
  }
  for (size_t i = 0; i < c->derived_count; i++)
    if (is_within(c->sheet, c->derived[i].region, stepped))
      gp_synapses_add_derived(&step->values.synapses, &c->derived[i], counts[c->derived[i].group]);
  return 0;
}

/* True if a group of the region counted anything. */
static int did_something(const struct gp_contribution *c, uint32_t stepped, const uint64_t *counts) {
  for (size_t i = 0; i < c->kernel->term_count; i++)
    if (counts[c->kernel->terms[i].group] && is_within(c->sheet, c->kernel->terms[i].region, stepped))
      return 1;
  for (size_t i = 0; i < c->kernel->value_count; i++)
    if (counts[c->kernel->values[i].group] && is_within(c->sheet, c->kernel->values[i].region, stepped))
      return 1;
  return 0;
}

/* A kernel is divided by its outermost regions with steps. */
static int is_outermost(const struct gp_contribution *c, uint32_t stepped) {
  for (size_t i = 0; i < c->kernel->stepped_count; i++)
    if (c->kernel->stepped[i] != stepped && is_within(c->sheet, stepped, c->kernel->stepped[i]))
      return 0;
  return 1;
}

static int add_step_of(struct gp_contribution *c, struct gp_row *row, uint32_t stepped, int64_t number,
                       const uint64_t *counts) {
  if (!did_something(c, stepped, counts))
    return 0;
  if (number == GP_OTHER_STEPS)
    gp_remark(row->path,
              "steps for whose numbers there was no room stand together in per_step, as that without a number: "
              "GPUPROF_STEPS=N makes room for more in one launch");
  int result = add_step(c, row, stepped, number, counts);
  if (!result && c->kernel_row && is_outermost(c, stepped))
    result = add_step(c, c->kernel_row, stepped, number, counts);
  return result;
}

/* `counts` has room for the counts of one step. */
static int add_level(struct gp_contribution *c, size_t level, uint64_t *counts) {
  const uint32_t stepped = c->kernel->stepped[level];
  struct gp_row *row = gp_contribution_row(c, stepped);
  if (!row || add_step_of(c, row, stepped, GP_OTHER_STEPS, c->counts + (1 + level) * c->kernel->groups))
    return -1;
  size_t lines = 0;
  const struct gp_step_line *line =
      c->step_id ? gp_time_steps_of(&c->shared->reading->steps, c->step_id + level, &lines) : NULL;
  for (size_t i = 0, next; i < lines; i = next) {
    memset(counts, 0, c->kernel->groups * sizeof *counts);
    for (next = i; next < lines && line[next].step == line[i].step; next++)
      for (uint32_t place = 0; place < GPUPROF_STEP_LINE; place++)
        if (line[next].line * GPUPROF_STEP_LINE + place < c->kernel->groups)
          counts[line[next].line * GPUPROF_STEP_LINE + place] += line[next].counts[place];
    if (add_step_of(c, row, stepped, line[i].step, counts))
      return -1;
  }
  return 0;
}

int gp_contribution_add_steps(struct gp_contribution *c) {
  if (!c->kernel->stepped_count)
    return 0;
  uint64_t *counts = gp_scratch_get(c->shared->memory, c->kernel->groups * sizeof *counts);
  int result = counts ? 0 : -1;
  for (size_t level = 0; level < c->kernel->stepped_count && !result; level++)
    result = add_level(c, level, counts);
  return result;
}
