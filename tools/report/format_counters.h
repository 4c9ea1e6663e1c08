/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The program's own counters (`#pragma gpuprof count`) and how many steps a region is divided into, one line
 * each. */
#ifndef GP_TOOL_REPORT_COUNTERS_H
#define GP_TOOL_REPORT_COUNTERS_H

#include "report/formats.h"

/* Each adds nothing where no region has any. */
void report_counters_text(struct text *out, const struct document *document, const struct style *style);
void report_counters_markdown(struct text *out, const struct document *document);
void report_counters_html(struct text *out, const struct document *document);

#endif
