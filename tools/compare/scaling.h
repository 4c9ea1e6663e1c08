/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs with different numbers of ranks: how well they scale. */
#ifndef GP_TOOL_SCALING_H
#define GP_TOOL_SCALING_H

#include "common/style.h"
#include "reader/reader.h"

/* Adds a line a run, compared with the first; nothing where no document is merged. */
void scaling_table(struct text *out, const struct document *documents, size_t count, const struct style *style);

#endif
