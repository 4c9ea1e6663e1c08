/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Of a compiler's command line, nvcc's, clang's or gcc's, what decides how its text is read. */
#ifndef GP_TOOL_SCAN_FLAGS_H
#define GP_TOOL_SCAN_FLAGS_H

#include "cc/line.h"

#include <stdbool.h>

/* Adds to `out` what clang needs of `given`: folders of headers, macros, the standard. Relative folders are those of
 * `folder`. All else, and the names of files, is left out. `is_cuda` is set where the flags say that all files are CUDA. */
void flags_take(struct line *out, const struct line *given, const char *folder, bool *is_cuda);
#endif
