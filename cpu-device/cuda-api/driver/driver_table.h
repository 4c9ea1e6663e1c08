/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The driver's functions on the CPU device, by their exported names. */
#ifndef GP_CPU_DRIVER_TABLE_H
#define GP_CPU_DRIVER_TABLE_H

/* Null: there is none of this name. */
void *gp_cpu_driver_function(const char *name);

#endif
