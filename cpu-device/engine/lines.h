/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Translates code addresses of the program to source lines. */
#ifndef GP_CPU_LINES_H
#define GP_CPU_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes "file:line" of the instruction at `pc`; false if the program has no line information (-g). */
bool gp_source_line(uint64_t pc, char *text, size_t size);

#endif
