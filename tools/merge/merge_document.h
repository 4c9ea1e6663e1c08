/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two documents become one. A merged document can be merged again: documents are folded in one by one, so that no more than
 * two are in memory. */
#ifndef GP_TOOL_MERGE_DOCUMENT_H
#define GP_TOOL_MERGE_DOCUMENT_H

#include "merge/rank_facts.h"
#include "reader/reader.h"

#include <stdbool.h>
#include <stdio.h>

/* Sentences that stand in the notes of a merged document. */
struct sentences {
  char **items;
  size_t count, capacity;
};

/* Adds a sentence, and frees it where it is known already. */
void sentences_add(struct sentences *sentences, char *sentence);
void sentences_free(struct sentences *sentences);

/* Writes `a` and `b`, null if there is one document alone, as one document of these ranks. Returns false where rows lie too
 * deep in each other, or memory is exhausted. */
bool merge_documents(FILE *stream, const struct document *a, const struct document *b, const struct rank_list *ranks,
                     const struct sentences *sentences);

#endif
