/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How two runs came about: documents of different builds or settings count different programs. */
#ifndef GP_TOOL_COMPARE_CONTEXT_H
#define GP_TOOL_COMPARE_CONTEXT_H

#include "common/text.h"
#include "reader/reader.h"

/* Adds a line for each fact that differs, and for a run that did not end in the usual way. Returns how many of them forbid a
 * check: they change what is counted without a change of the program. */
size_t compare_contexts(struct text *out, const struct document *before, const struct document *after);

#endif
