/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpuprof run --unique: a run of its own that finds unique bytes, and the file that hands them to the next
 * run. */
#ifndef GP_TOOL_UNIQUE_H
#define GP_TOOL_UNIQUE_H

#include <stdbool.h>

/* Puts into the environment what makes the next run look for unique bytes and leave its report in the folder.
 */
void unique_before(const char *folder);
/* Reads that report, and makes the next run, which reports to `output`, take its unique bytes. False, with a
 * message, if there is not exactly one report. */
bool unique_after(const char *folder, const char *output);

#endif
