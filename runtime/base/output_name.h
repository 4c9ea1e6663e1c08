/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of documents of ranks and of forked processes. */
#ifndef GP_OUTPUT_NAME_H
#define GP_OUTPUT_NAME_H

#include "base/ranks.h"

/* The pattern with "-rank%r" before its ending, so that no rank overwrites the document of another one. Unchanged if the
 * pattern has %r, if it is a device or a pipe, and in a job of one rank. Returns a string to free, or null when memory is
 * exhausted. */
char *gp_output_name_of_rank(const char *pattern, const struct gp_ranks *ranks);
/* The same with "-%p", for a process forked from one with a document. */
char *gp_output_name_of_child(const char *pattern);

#endif
