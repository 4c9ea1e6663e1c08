// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/contribution_parts.h"

#include "report/rows.h"

int gp_values_add(struct gp_scratch *memory, struct gp_values *to, const struct gp_sheet_value *value, uint64_t count) {
  if (value->kind == GP_VALUE_COUNT)
    return gp_values_count(memory, to, value->name, (int64_t)count);
  if (value->kind == GP_VALUE_SYNAPSE) {
    gp_synapses_add_sum(&to->synapses, value->sum, count);
    return 0;
  }
  to->spikes[value->kind - GP_VALUE_SPIKE_POSITIVE] += count;
  to->has_spikes = 1;
  return 0;
}

static int states_synapses(const struct gp_contribution *c, uint32_t region) {
  for (size_t i = 0; i < c->kernel->value_count; i++)
    if (c->kernel->values[i].kind == GP_VALUE_SYNAPSE && c->kernel->values[i].region == region)
      return 1;
  return 0;
}

/* The innermost region with a directive or the clause decides. */
static int derives_synapses(const struct gp_contribution *c, uint32_t region) {
  for (; region != GP_NONE; region = c->sheet->regions[region].parent)
    if (states_synapses(c, region) || c->sheet->regions[region].description.synapse)
      return !states_synapses(c, region);
  return !states_synapses(c, GP_NONE) && c->around->derives_synapses;
}

static int may_derive_synapses(const struct gp_contribution *c) {
  int may = c->around->derives_synapses;
  for (size_t i = 0; i < c->sheet->region_count; i++)
    may |= c->sheet->regions[i].description.synapse;
  return may;
}

static int add_derived_synapses(struct gp_contribution *c, const struct gp_derived_synapses *derived) {
  const uint64_t executions = c->counts[derived->group];
  struct gp_row *row = gp_contribution_row(c, derived->region);
  if (!row)
    return -1;
  gp_synapses_add_derived(&row->values.synapses, derived, executions);
  if (c->kernel_row)
    gp_synapses_add_derived(&c->kernel_row->values.synapses, derived, executions);
  return 0;
}

int gp_contribution_derive_synapses(struct gp_contribution *c) {
  size_t count;
  if (!may_derive_synapses(c))
    return 0;
  if (!(c->derived = gp_synapses_derive(c->kernel, &count)))
    return -1;
  for (size_t i = 0; i < count; i++)
    if (derives_synapses(c, c->derived[i].region)) {
      if (add_derived_synapses(c, &c->derived[i]))
        return -1;
      c->derived[c->derived_count++] = c->derived[i];
    }
  return 0;
}

int gp_contribution_add_values(struct gp_contribution *c) {
  for (size_t i = 0; i < c->kernel->value_count; i++) {
    const struct gp_sheet_value *value = &c->kernel->values[i];
    struct gp_row *row = gp_contribution_row(c, value->region);
    if (!row || gp_values_add(row->memory, &row->values, value, c->counts[value->group]) ||
        (c->kernel_row && gp_values_add(row->memory, &c->kernel_row->values, value, c->counts[value->group])))
      return -1;
  }
  return 0;
}
