/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reading a file named by a setting. */
#ifndef GP_INPUT_H
#define GP_INPUT_H

#include <stdio.h>

/* Opens a regular file (or /dev/null) at once: a pipe may have no writer, and the program must not wait for
 * one. Returns null with errno if it cannot be read. */
FILE *gp_input_open(const char *path);

#endif
