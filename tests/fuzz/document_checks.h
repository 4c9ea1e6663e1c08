/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Properties of every text handed to the gpuprof command as a document. */
#ifndef GP_TEST_DOCUMENT_CHECKS_H
#define GP_TEST_DOCUMENT_CHECKS_H

#include <stddef.h>
#include <stdint.h>

/* Makes the good documents for comparisons, and catches messages. Call once. */
void document_checks_begin(const char *const *texts, size_t count);
/* Reads a text and runs every report and comparison over it; `number`
 * selects the expensive ones. Returns null, or the violated property. */
const char *document_check(const char *text, size_t length, uint64_t number);

#endif
