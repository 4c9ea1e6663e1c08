/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What gpuprof itself cost a run: one sentence of a report. */
#ifndef GP_TOOL_OVERHEAD_LINE_H
#define GP_TOOL_OVERHEAD_LINE_H

#include "common/text.h"
#include "reader/reader.h"

/* Nothing for documents without these facts. */
void report_own_cost(struct text *text, const struct document *document);

#endif
