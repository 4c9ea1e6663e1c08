/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpuprof run --sweep: a program at each point of its parameters, each several times, into one folder. */
#ifndef GP_TOOL_SWEEP_RUN_H
#define GP_TOOL_SWEEP_RUN_H

#include "common/options.h"

/* Runs the program once; its document goes to `output`. Returns its exit status. */
typedef int sweep_program(char *const *command, const char *output);

/* Whether the command line asks for several runs. */
bool sweep_is_asked(const struct arguments *arguments);
/* Settings of the run are in the environment already. Returns an exit code. */
int sweep_run(const struct command *self, const struct arguments *arguments, sweep_program *program);

#endif
