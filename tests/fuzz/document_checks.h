/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What must hold of every text that is handed to the gpuprof command as a document. */
#ifndef GP_TEST_DOCUMENT_CHECKS_H
#define GP_TEST_DOCUMENT_CHECKS_H

#include <stddef.h>
#include <stdint.h>

/* The good documents that others are compared with, and messages caught. Call once. */
void document_checks_begin(const char *const *texts, size_t count);
/* Reads a text and runs every report and comparison over it; `number` chooses those that are dear. Returns null, or what does
 * not hold. */
const char *document_check(const char *text, size_t length, uint64_t number);

#endif
