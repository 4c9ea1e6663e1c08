/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A table with a headline and sentences below it: a section of a report, in one of the formats. */
#ifndef GP_TOOL_GRID_SECTION_H
#define GP_TOOL_GRID_SECTION_H

#include "common/grid.h"
#include "common/style.h"
#include "common/text.h"

/* `grid` may be null: sentences alone. `below` may be empty. */
typedef void (*section_function)(struct text *out, const char *title, const struct grid *grid, const char *below,
                                 const struct style *style);
void section_text(struct text *out, const char *title, const struct grid *grid, const char *below, const struct style *style);
void section_markdown(struct text *out, const char *title, const struct grid *grid, const char *below, const struct style *style);
void section_html(struct text *out, const char *title, const struct grid *grid, const char *below, const struct style *style);

#endif
