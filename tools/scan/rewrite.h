/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The proposed pragmas as changes of files. */
#ifndef GP_TOOL_SCAN_REWRITE_H
#define GP_TOOL_SCAN_REWRITE_H

#include "scan/found.h"

/* Writes each file with its proposals, whole or not at all. Returns an exit code; where a file cannot be written, the
 * reason is said, its functions lose their proposals, and the others are written. */
int rewrite_files(struct found *found);
/* The unified difference of what rewrite_files() would do. */
void rewrite_diff(struct text *out, const struct found *found);

#endif
