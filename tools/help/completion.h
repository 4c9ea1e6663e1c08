/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Completion for shells, made from the tables of commands and options. */
#ifndef GP_TOOL_COMPLETION_H
#define GP_TOOL_COMPLETION_H

#include "common/options.h"

/* Prints the script for `shell`: bash, zsh or fish. Returns an exit code. */
int completion_print(const struct command *self, const char *shell);

#endif
