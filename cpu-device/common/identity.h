/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Identity of the emulating machine. */
#ifndef GP_CPU_IDENTITY_H
#define GP_CPU_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

/* "CPU device (model name)". */
void gp_cpu_device_name(char *text, size_t bytes);
/* Nominal clock; 0: unknown. */
uint64_t gp_cpu_clock_hz(void);

#endif
