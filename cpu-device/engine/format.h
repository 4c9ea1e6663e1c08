/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Device printf: formats what a kernel passed to vprintf. */
#ifndef GP_CPU_FORMAT_H
#define GP_CPU_FORMAT_H

#include <stddef.h>
#include <stdint.h>

/* The text (to be freed), its length, and how many arguments were taken; null without memory. `arguments`
 * holds them packed as compiled code lays them out: each at a multiple of its size, chars and shorts widened
 * to int, floats to double. Conversions that C does not know are printed as they stand. */
char *gp_format_device(const char *format, const void *arguments, size_t *bytes, uint32_t *taken);

#endif
