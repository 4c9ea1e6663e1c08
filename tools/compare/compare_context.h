/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How two runs came about: documents of different builds or settings count different programs. */
#ifndef GP_TOOL_COMPARE_CONTEXT_H
#define GP_TOOL_COMPARE_CONTEXT_H

#include "common/text.h"
#include "reader/reader.h"

#include <stdbool.h>

/* Adds a line for each differing fact, and for a run with an unusual end. `counts_differ`: also for facts that explain
 * differences of some programs only. Returns the number of facts forbidding a check: they change counts without a change
 * of the program. */
size_t compare_contexts(struct text *out, const struct document *before, const struct document *after, bool counts_differ);

#endif
