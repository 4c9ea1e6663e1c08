/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the numbers of a kernel or region say to do: each rule is a sentence, given where the numbers support it. */
#ifndef GP_TOOL_ROW_ADVICE_H
#define GP_TOOL_ROW_ADVICE_H

#include "reader/reader.h"

#include <stdbool.h>

struct text;

/* Whether the rule holds for a row; adds its sentence, which begins behind the row's name. */
typedef bool (*row_rule)(struct text *why, const struct document *document, const struct entry *entry);
/* Those of a whole report, the most important first; a null pointer behind the last. */
extern const row_rule row_rules[];

/* One sentence for one row: the first rule that holds, also for rows between the extremes and rows without a time. False where
 * nothing is to be said. */
bool row_advice(struct text *why, const struct document *document, const struct entry *entry);

#endif
