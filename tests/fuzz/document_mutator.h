/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Documents made out of good ones: the same mutations for the same number. */
#ifndef GP_TEST_DOCUMENT_MUTATOR_H
#define GP_TEST_DOCUMENT_MUTATOR_H

#include "common/text.h"

#include <stdint.h>

/* A mutated copy of one of the texts; replaces the content of `out`. */
void document_mutate(struct text *out, const char *const *texts, size_t count, uint64_t seed, uint64_t number);

#endif
