// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sheet/costs.h"

#include <string.h>

const struct gp_cost_class gp_cost_classes[GP_COST_COUNT] = {
#define GPUPROF_COST(identifier, group, key, flops) {#identifier, #group, #key, flops, 0},
#define GPUPROF_COST_DETAIL(identifier, group, key) {#identifier, #group, #key, 0, 1},
#include "gpuprof/cost_classes.inc"
};

enum gp_cost gp_cost_find(const char *name, size_t length) {
  unsigned i = 0;
  while (i < GP_COST_COUNT && (strncmp(gp_cost_classes[i].name, name, length) || gp_cost_classes[i].name[length]))
    i++;
  return (enum gp_cost)i;
}

void gp_totals_add(struct gp_totals *to, const struct gp_totals *from) {
  for (unsigned i = 0; i < GP_COST_COUNT; i++)
    to->amount[i] += from->amount[i];
}

uint64_t gp_totals_flops(const struct gp_totals *totals) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < GP_COST_COUNT; i++)
    sum += totals->amount[i] * gp_cost_classes[i].flops;
  return sum;
}

uint64_t gp_totals_group_flops(const struct gp_totals *totals, const char *group) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < GP_COST_COUNT; i++)
    if (totals->amount[i] && gp_cost_is_of(&gp_cost_classes[i], group))
      sum += totals->amount[i] * gp_cost_classes[i].flops;
  return sum;
}

int gp_cost_adds_to(enum gp_cost cost, const char *group) {
  return !gp_cost_classes[cost].detail && gp_cost_is_of(&gp_cost_classes[cost], group);
}

uint64_t gp_totals_group(const struct gp_totals *totals, const char *group) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < GP_COST_COUNT; i++)
    if (totals->amount[i] && gp_cost_adds_to((enum gp_cost)i, group))
      sum += totals->amount[i];
  return sum;
}
