/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* When devices worked, the longest gaps and what the host did in them, and copies. */
#ifndef GP_TOOL_FORMAT_TIMELINE_H
#define GP_TOOL_FORMAT_TIMELINE_H

#include "report/formats.h"

/* In a report: of GPUs alone, since times of the CPU device say nothing of a GPU. Pages have all tables. */
void report_timeline_text(struct text *out, const struct document *document, const struct style *style);
void report_timeline_markdown(struct text *out, const struct document *document, const struct style *style);
void report_timeline_html(struct text *out, const struct document *document, const struct style *style);
/* --timeline: all tables, of every device. */
void report_whole_timeline_text(struct text *out, const struct document *document, const struct style *style);
void report_whole_timeline_markdown(struct text *out, const struct document *document, const struct style *style);

#endif
