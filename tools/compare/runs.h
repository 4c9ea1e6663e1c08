/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Several runs side by side: a column a run, with ratios to the first. */
#ifndef GP_TOOL_RUNS_H
#define GP_TOOL_RUNS_H

#include "common/style.h"
#include "reader/reader.h"

struct energy_choices;
struct text;

#define RUNS_MOST 16

/* Adds the table, of `most` rows at most. `energy` may be null. Returns whether a count differs. */
bool runs_table(struct text *out, const struct document *documents, size_t count,
                const struct selection *selection, const struct style *style, size_t most);

#endif
