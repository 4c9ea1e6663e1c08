/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From an address of the program's code to the line of its source. */
#ifndef GP_CPU_LINES_H
#define GP_CPU_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes "file:line" of the instruction at `pc`; false where the program has no line information (-g). */
bool gp_source_line(uint64_t pc, char *text, size_t size);

#endif
