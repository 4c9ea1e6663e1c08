/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What `scan` prints. */
#ifndef GP_TOOL_SCAN_SHOW_H
#define GP_TOOL_SCAN_SHOW_H

#include "common/style.h"
#include "common/text.h"
#include "scan/found.h"

/* The table: each file with its functions and launches, their regions, and those proposed; `command` is what a reader types
 * next to write these. */
void show_table(struct text *out, const struct found *found, const struct style *style, const char *command);
/* A line for each kernel and launch without a region, and one with sums. */
void show_lacking(struct text *out, const struct found *found, const char *command);
/* A line for each region that was written. */
void show_written(struct text *out, const struct found *found);
/* The document that docs/scan.schema.json describes. */
void show_json(struct text *out, const struct found *found);

/* The pragma of a proposed region, without an end of the line. */
void show_pragma(struct text *out, const struct found_function *function);

#endif
