/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Of a merged document: a line a rank, and the rows whose time differs most between ranks. Nothing for other documents. */
#ifndef GP_TOOL_RANKS_TABLE_H
#define GP_TOOL_RANKS_TABLE_H

#include "common/style.h"
#include "reader/reader.h"

void report_ranks_text(struct text *out, const struct document *document, const struct style *style);
void report_ranks_markdown(struct text *out, const struct document *document, const struct style *style);
void report_ranks_html(struct text *out, const struct document *document, const struct style *style);

#endif
