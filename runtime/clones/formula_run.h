/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs a formula for all threads of a launch at once (docs/developer/formulas.md). */
#ifndef GP_FORMULA_RUN_H
#define GP_FORMULA_RUN_H

#include "base/device.h"
#include "clones/affine.h"
#include "sheet/formula.h"

/* `turns` ranges of `bytes`, each `distance` behind the one before. All are positive but the distance. */
struct gp_formula_mark {
  const struct gp_affine *address; /* modulo 2^64 */
  int64_t distance, turns, bytes;
};

/* What becomes of counts and marks; a null function takes none. They return 1, or 0 to end the run. */
struct gp_formula_sink {
  /* A count of each of `weight` threads at each point of the box, modulo 2^64. */
  int (*count)(struct gp_formula_sink *sink, uint32_t group, const struct gp_affine *number, const struct gp_box *box, uint64_t weight);
  /* A mark of the threads at each point of the box. */
  int (*mark)(struct gp_formula_sink *sink, const struct gp_formula_mark *mark, const struct gp_box *box);
  uint64_t steps, steps_maximum; /* executed so far, and limit */
  gp_wide points_maximum;        /* of a box taken one by one, for an operation that is not affine */
};

/* Returns 1; or 0 if the formula cannot tell exactly, within the limits, or if a sink ended it. Nothing sunk is valid then. */
int gp_formula_run(const struct gp_formula *formula, const struct gp_launch *launch, struct gp_formula_sink *sink);

#endif
