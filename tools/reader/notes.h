/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Notes for people: a note shared by many kernels is printed once. */
#ifndef GP_TOOL_NOTES_H
#define GP_TOOL_NOTES_H

#include "reader/reader.h"

/* Joins notes of the same text where the first of them stands: "a, b, c and 27 more". Returns the storage of such names, for
 * document_free(); null where there are none. */
char *notes_join(struct remark *notes, size_t *count);

#endif
