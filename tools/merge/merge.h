/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpuprof merge: the two things it joins. Each returns an exit code. */
#ifndef GP_TOOL_MERGE_H
#define GP_TOOL_MERGE_H

#include "merge/rank_facts.h"

#include <stdbool.h>
#include <stddef.h>

/* Joins traces into one, with a row of processes for each rank; documents among the files say how clocks differ. */
int trace_join(const char *const *files, size_t count, const char *output);

#endif
