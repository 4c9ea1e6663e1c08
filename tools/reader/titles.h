/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Titles of rows that stand in one table. */
#ifndef GP_TOOL_TITLES_H
#define GP_TOOL_TITLES_H

#include "reader/entry.h"

/* As entry_title(). Kernels of different names have different titles: with their parameters, if that tells them apart. The caller
 * frees each, and the list. */
char **entry_titles(const struct entry *entries, size_t count);
void entry_titles_free(char **titles, size_t count);

#endif
