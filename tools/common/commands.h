/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One function a command; main.c calls them. Each returns the exit code of the program. */
#ifndef GP_TOOL_COMMANDS_H
#define GP_TOOL_COMMANDS_H

#include "common/options.h"

int run_report(const struct command *self, const struct arguments *arguments);
int run_plot(const struct command *self, const struct arguments *arguments);
int run_diff(const struct command *self, const struct arguments *arguments);
int run_check(const struct command *self, const struct arguments *arguments);
int run_merge(const struct command *self, const struct arguments *arguments);
int run_run(const struct command *self, const struct arguments *arguments);
int run_peaks(const struct command *self, const struct arguments *arguments);
int run_scan(const struct command *self, const struct arguments *arguments);
int run_doctor(const struct command *self, const struct arguments *arguments);
int run_help(const struct command *self, const struct arguments *arguments);

/* Of its help. */
extern const char cc_details[];
extern const struct help_row cc_options[];
extern const size_t cc_option_count;
int run_cc(const struct command *self, int argc, char **argv);

/* The table of main.c. */
size_t command_count(void);
const struct command *command_at(size_t index);
const struct command *command_named(const char *name); /* null if there is none */

#endif
