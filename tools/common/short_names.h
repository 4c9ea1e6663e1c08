/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of kernels that stand in one list, shortened as text_elide_kernel() does. Where that makes different names equal, the
 * pieces of their arguments or scopes that differ are shown. */
#ifndef GP_TOOL_SHORT_NAMES_H
#define GP_TOOL_SHORT_NAMES_H

#include <stddef.h>

/* Replaces each name by what stands for it in `width` columns; null ones are left out. The names are allocated ones. */
void shorten_names(char **names, size_t count, size_t width, const char *ellipsis);

#endif
