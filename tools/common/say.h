/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What this program says to a person on stderr, and the exit codes of all its commands. */
#ifndef GP_TOOL_SAY_H
#define GP_TOOL_SAY_H

enum {
  EXIT_GOOD = 0,
  EXIT_DIFFERS = 1, /* a difference, a regression, a check that the machine does not pass */
  EXIT_UNUSABLE = 2 /* a command line that makes no sense, or input or output that cannot be used */
};

/* "gpuprof: error: …"; returns EXIT_UNUSABLE. One sentence that says what to do. Names in it may be
 * anyone's: what a terminal would obey is replaced. */
int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same with lines below it, whose names are clean already. */
int fail_with(const char *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for a command line that makes no sense, with the help to read; returns EXIT_UNUSABLE. */
int misuse(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "gpuprof: …" */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "gpuprof: note: …" */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
