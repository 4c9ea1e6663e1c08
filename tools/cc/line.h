/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A command line that is being built. */
#ifndef GP_TOOL_LINE_H
#define GP_TOOL_LINE_H

#include "common/text.h"

#include <stdbool.h>
#include <stddef.h>

/* A zero-initialised line is empty and ready to use; a null pointer stands behind the last item. */
struct line {
  char **items;
  size_t count, capacity;
};

/* Adds `item`, which the line owns from now on. */
void line_push(struct line *line, char *item);
/* Adds a copy of `item`. */
void line_add(struct line *line, const char *item);
/* Adds copies of all items of `more`. */
void line_add_all(struct line *line, const struct line *more);
/* True where `item` is among them. */
bool line_has(const struct line *line, const char *item);
/* Adds `item` as a shell reads it: in quotes where it needs them. */
void line_quote(struct text *out, const char *item);
/* Prints the items from `first` on, on stdout, as a shell reads them. */
void line_print(const struct line *line, size_t first);
void line_free(struct line *line);

#endif
