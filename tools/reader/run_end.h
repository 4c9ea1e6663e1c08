/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How far the counts of a document go, and how its program ended. */
#ifndef GP_TOOL_RUN_END_H
#define GP_TOOL_RUN_END_H

#include "common/text.h"
#include "reader/reader.h"

/* Adds a phrase; nothing where the program ended in the usual way, or the document does not tell. */
void run_end(struct text *text, const struct document *document);
/* The document was written before the program's end, and lacks later work. */
bool run_is_incomplete(const struct document *document);

#endif
