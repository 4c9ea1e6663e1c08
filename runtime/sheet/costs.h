/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cost classes as an enumeration and a table, both from gpuprof/cost_classes.inc. */
#ifndef GP_COSTS_H
#define GP_COSTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Stands for an unknown amount. */
#define GP_UNKNOWN (-1.0)

enum gp_cost {
#define GPUPROF_COST(identifier, group, key, flops) GP_COST_##identifier,
#include "gpuprof/cost_classes.inc"
  GP_COST_COUNT
};

struct gp_cost_class {
  const char *name;  /* as in the cost sheet */
  const char *group; /* as in the report: fp32, global, … */
  const char *key;   /* as in the report: add, load, … */
  uint32_t flops;    /* contribution of one unit to flops.total */
  int detail;        /* other classes of the group contain it already */
};
extern const struct gp_cost_class gp_cost_classes[GP_COST_COUNT];

static inline int gp_cost_is_of(const struct gp_cost_class *class, const char *group) {
  return class->group == group || (class->group[0] == group[0] && !strcmp(class->group, group));
}

/* Index of a class by the name's first `length` characters; GP_COST_COUNT if there is none. */
enum gp_cost gp_cost_find(const char *name, size_t length);

/* Work done, by class. */
struct gp_totals {
  uint64_t amount[GP_COST_COUNT];
};
void gp_totals_add(struct gp_totals *to, const struct gp_totals *from);
/* All floating-point operations, core and tensor. */
uint64_t gp_totals_flops(const struct gp_totals *totals);
/* Floating-point operations of one group (fp32, tensor, …). */
uint64_t gp_totals_group_flops(const struct gp_totals *totals, const char *group);
/* True if a class is part of a group's sum. */
int gp_cost_adds_to(enum gp_cost cost, const char *group);
/* Sum of the amounts of one group: bytes of global, shared, … */
uint64_t gp_totals_group(const struct gp_totals *totals, const char *group);

#endif
