/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CUDA memory of the program: a line at the head of a report, and with --memory tables. */
#ifndef GP_TOOL_FORMAT_MEMORY_H
#define GP_TOOL_FORMAT_MEMORY_H

#include "report/formats.h"
#include "report/grid_section.h"

/* "peak 1.20 GB, at the end 0 B": nothing where the program has no CUDA memory, or it was not seen. */
void report_memory_line(struct text *out, const struct document *document);
/* Places and kinds, regions, the peak, leaks and the largest allocations; nothing without --memory. */
void report_memory(struct text *out, const struct document *document, const struct selection *selection, section_function section,
                   const struct style *style);

#endif
