/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of clang's options with a value in the next argument (clang_options.def). */
#ifndef GP_TOOL_CLANG_OPTIONS_H
#define GP_TOOL_CLANG_OPTIONS_H

#include <stdbool.h>

/* True for an option of clang whose value is the next argument, which is no input. Some are flags of nvcc, too, with
 * another meaning: a caller that reads nvcc's asks for those first. */
bool clang_option_has_value(const char *option);

#endif
