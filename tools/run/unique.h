/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpuprof run --unique: a separate run finding unique
 * bytes, and the file handing them to the next run. */
#ifndef GP_TOOL_UNIQUE_H
#define GP_TOOL_UNIQUE_H

#include <stdbool.h>

/* Sets the environment for a run looking for unique bytes, with its report in the folder. */
void unique_before(const char *folder);
/* Reads this report, and makes the next run, reporting to `output`, take its
 * unique bytes. False, with a message, unless there is exactly one report. */
bool unique_after(const char *folder, const char *output);

#endif
