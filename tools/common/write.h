/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pieces of text for people, in a terminal and in Markdown. */
#ifndef GP_TOOL_WRITE_H
#define GP_TOOL_WRITE_H

#include "common/style.h"
#include "common/text.h"

enum write_paint { WRITE_PLAIN, WRITE_BOLD, WRITE_DIM, WRITE_RED, WRITE_GREEN, WRITE_YELLOW };

void write_painted(struct text *out, const struct style *style, enum write_paint paint, const char *string);
/* With spaces up to `width` columns: before it where it stands to the right. */
void write_padded(struct text *out, const struct style *style, enum write_paint paint, const char *string,
                  size_t width, bool right);
/* Breaks at spaces, for a terminal, and joins lines; the first line is already indented by `indent` columns. */
void write_wrapped(struct text *out, const struct style *style, const char *string, size_t indent);
/* A JSON string. */
void write_json(struct text *out, const char *string);
/* Text for a Markdown table's cell. */
void write_markdown(struct text *out, const char *string);

#endif
