/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Declares the entries called by compiled kernels, from their list: a differing definition does not compile.
 * Programs reach them by jumps of the same names in libgpuprof (runtime/cpu/cpu_entries.S). */
#ifndef GP_CPU_ENTRIES_H
#define GP_CPU_ENTRIES_H

#include <stdint.h>

typedef void *gp_cpu_pointer;
#define ptr gp_cpu_pointer
#define GPUPROF_CPU_ENTRY(schedule, result, name, parameters) result name parameters;
#include "gpuprof/cpu_entries.inc"
#undef ptr

#endif
