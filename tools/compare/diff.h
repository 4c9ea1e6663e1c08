/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The output of `gpuprof diff` and `gpuprof check` on two documents. */
#ifndef GP_TOOL_DIFF_H
#define GP_TOOL_DIFF_H

#include "common/options.h"
#include "reader/reader.h"

/* Returns the exit code of `gpuprof diff`. */
int diff_documents(struct text *out, const struct document *before, const struct document *after,
                   const struct arguments *arguments);
/* Returns the exit code of `gpuprof check`, after saying why where nothing can be checked. `beyond`: how many counts
 * fail. */
int check_documents(struct text *out, const struct document *baseline, const struct document *document,
                    double tolerance, const struct arguments *arguments, size_t *beyond);

#endif
