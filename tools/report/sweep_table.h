/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reports of a sweep: its rows, and below each what it did at every point. */
#ifndef GP_TOOL_SWEEP_TABLE_H
#define GP_TOOL_SWEEP_TABLE_H

#include "common/style.h"
#include "reader/reader.h"
#include "sweep/sweep.h"

struct text;

void report_sweep_text(struct text *out, const struct sweep *sweep, const struct selection *selection, const struct style *style);
void report_sweep_markdown(struct text *out, const struct sweep *sweep, const struct selection *selection, const struct style *style);
/* A line a row and point: means of the measures (sweep/series.h), each with half of its interval of confidence. */
void report_sweep_csv(struct text *out, const struct sweep *sweep, const struct selection *selection);

#endif
