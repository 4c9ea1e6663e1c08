/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the numbers of a report say to do: a rule is a sentence, given where the numbers support it. */
#ifndef GP_TOOL_ADVICE_H
#define GP_TOOL_ADVICE_H

#include "reader/reader.h"

struct text;

/* Calls `add` with each advice, the most important first: of rows a rule names the one with most time or
 * work. */
typedef void (*advice_function)(struct text *out, const char *sentence);
void report_advice(struct text *out, const struct document *document, const struct selection *selection,
                   advice_function add);

#endif
