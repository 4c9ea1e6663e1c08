// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/formula_count.h"

#include "clones/formula_run.h"

#include <stdlib.h>

#define STEPS_MAXIMUM 16384u  /* executed for one launch: beyond, the clone is faster */
#define ENUMERATED_MAXIMUM 64 /* points */

struct totals {
  struct gp_formula_sink sink;
  uint64_t *counts;
};

static uint64_t length_of(const struct gp_box *box, unsigned d) { return (uint64_t)(box->high[d] - box->low[d]) + 1; }

/* Adds the sum over the box. */
static int add_count(struct gp_formula_sink *sink, uint32_t group, const struct gp_affine *a, const struct gp_box *box, uint64_t weight) {
  uint64_t points = weight;
  for (unsigned d = 0; d < box->dimensions; d++)
    points *= length_of(box, d);
  uint64_t total = points * (uint64_t)a->c0;
  for (unsigned d = 0; d < box->dimensions; d++) {
    if (!a->c[d])
      continue;
    uint64_t others = weight;
    for (unsigned e = 0; e < box->dimensions; e++)
      others *= e == d ? 1 : length_of(box, e);
    const gp_wide length = (gp_wide)box->high[d] - box->low[d] + 1;
    total += others * (uint64_t)a->c[d] * (uint64_t)((box->low[d] + (gp_wide)box->high[d]) * length / 2);
  }
  ((struct totals *)sink)->counts[group] += total;
  return 1;
}

int gp_formula_count(const struct gp_formula *formula, const struct gp_launch *launch, uint64_t *counts, size_t groups) {
  uint64_t few[64];
  uint64_t *const sums = groups <= sizeof few / sizeof *few ? few : malloc(groups * sizeof *sums);
  struct totals totals = {.sink = {.count = add_count, .steps_maximum = STEPS_MAXIMUM, .points_maximum = ENUMERATED_MAXIMUM},
                          .counts = sums};
  if (!sums)
    return 0;
  for (size_t i = 0; i < groups; i++)
    sums[i] = 0;
  const int exact = gp_formula_run(formula, launch, &totals.sink);
  for (size_t i = 0; exact && i < groups; i++)
    counts[i] += sums[i];
  if (sums != few)
    free(sums);
  return exact;
}
