/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Device printf: formats the arguments of a kernel's vprintf. */
#ifndef GP_CPU_FORMAT_H
#define GP_CPU_FORMAT_H

#include <stddef.h>
#include <stdint.h>

/* Returns the text (the caller frees it), its length, and the number of used arguments; null without memory.
 * `arguments` holds them in the layout of compiled code: each at a multiple of its size, chars and shorts
 * widened to int, floats to double. Conversions unknown to C are printed verbatim. */
char *gp_format_device(const char *format, const void *arguments, size_t *bytes, uint32_t *taken);

#endif
