/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpuprof run --exact: a separate run of plain kernels for
 * their times, and the file handing them to the run that counts. */
#ifndef GP_TOOL_EXACT_H
#define GP_TOOL_EXACT_H

#include <stdbool.h>

/* Sets the environment for a run of plain kernels, with its files in the folder. */
void exact_before(const char *folder);
/* Makes the next run, reporting to `output`, count and take these times. False,
 * with a message, if there are none. */
bool exact_after(const char *folder, const char *output);

#endif
