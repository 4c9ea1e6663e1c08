/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counters of the hardware beside what was counted (GPUPROF_HARDWARE), one line a kernel and counter. */
#ifndef GP_TOOL_REPORT_HARDWARE_H
#define GP_TOOL_REPORT_HARDWARE_H

#include "report/formats.h"

/* Each adds nothing where the document holds no counters. */
void report_hardware_text(struct text *out, const struct document *document, const struct style *style);
void report_hardware_markdown(struct text *out, const struct document *document, const struct style *style);
void report_hardware_html(struct text *out, const struct document *document, const struct style *style);

#endif
