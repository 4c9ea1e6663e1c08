/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Evaluates a formula for one launch: the counts of all its threads, found on the host (docs/developer/formulas.md). */
#ifndef GP_FORMULA_COUNT_H
#define GP_FORMULA_COUNT_H

#include "base/device.h"
#include "sheet/formula.h"

/* Adds the counts of a launch to counts[groups], modulo 2^64 like the clone's. Returns 1; or 0 and leaves them alone if
 * the formula cannot tell exactly within bounded time: then the clone has to run. */
int gp_formula_count(const struct gp_formula *formula, const struct gp_launch *launch, uint64_t *counts, size_t groups);

#endif
