/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Words of command lines. */
#ifndef GP_TOOL_WORDS_H
#define GP_TOOL_WORDS_H

#include "cc/line.h"

#include <stdbool.h>

bool begins_with(const char *string, const char *beginning);
/* True where something stands before the ending. */
bool ends_with(const char *string, const char *ending);
/* `list` ends with a null pointer. */
bool is_one_of(const char *string, const char *const *list);

/* Adds the words of `text` between white space, as a shell reads them: quotes and backslashes keep what they protect and go. */
void words_split(struct line *line, const char *text);
/* The same, but commas separate words too: options for other tools. */
void words_and_values_split(struct line *line, const char *text);
/* The same, but commas alone separate words: names of files, which may have blanks. */
void values_split(struct line *line, const char *text);

#endif
