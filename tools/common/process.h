/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs that a command starts, and files that it needs while they run. */
#ifndef GP_TOOL_PROCESS_H
#define GP_TOOL_PROCESS_H

#include <stdbool.h>

#define EXIT_NOT_FOUND 127 /* what a shell says for a program that is not there */

/* Runs a program and waits. Its exit status as a shell gives it; EXIT_NOT_FOUND, with a message that ends
 * with `advice`, if it cannot be run. While it runs, interrupts from the keyboard are the program's: this
 * process goes on. */
int process_run(char *const *command, const char *advice);

struct text;
/* Runs a program and appends what it prints on standard output; its standard error is dropped. False where it cannot be run or
 * fails. */
bool process_read(char *const *command, struct text *out);

/* A new folder below the system's for temporary files, which the caller frees; null, with a message, if there
 * can be none. */
char *temporary_folder(void);
/* Removes it and the files in it, and frees the name. */
void temporary_folder_remove(char *folder);

#endif
