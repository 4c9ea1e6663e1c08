/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A list of words with their meanings, for a terminal and as Markdown of the manual. */
#ifndef GP_TOOL_HELP_TABLE_H
#define GP_TOOL_HELP_TABLE_H

#include "common/style.h"
#include "common/text.h"

/* One word, as in NAME=VALUES. A row with a title instead begins a group. */
struct help_row {
  const char *title;
  char letter;               /* of an option, or 0 */
  const char *name, *values; /* values: null or "" for a word without a value */
  const char *standard;      /* the default; null or "" for none */
  const char *help;          /* 'commands' stand in single quotes */
};

struct help_table {
  const struct help_row *rows;
  size_t count;
  size_t meaning; /* the first column of meanings, or 0: the usual one */
};

/* Breaks lines at the width of the style. */
void help_table_text(struct text *out, const struct style *style, const struct help_table *table);
void help_table_markdown(struct text *out, const struct help_table *table);
/* Prose as Markdown: text in single quotes becomes code. */
void help_markdown(struct text *out, const char *string);
/* The same, broken into lines; lines after the first are indented. */
void help_markdown_wrapped(struct text *out, const char *string, size_t indent);
/* Whether a text has lines of a list, indented and not to be broken anew. */
bool is_list(const char *string);

#endif
