/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The overview of all commands; run_help() stands in common/commands.h. */
#ifndef GP_TOOL_HELP_H
#define GP_TOOL_HELP_H

#include <stdio.h>

void help_overview(FILE *stream);

#endif
