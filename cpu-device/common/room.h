/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The remaining address space of the process. Without a limit, memory is reserved generously. */
#ifndef GP_CPU_ROOM_H
#define GP_CPU_ROOM_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes below the limit of address space (ulimit -v); UINT64_MAX without a limit. */
uint64_t gp_cpu_room(void);
/* " (its address space is limited to N MB by ulimit -v: raise that)", or "" without a limit. */
const char *gp_cpu_room_limit(char text[128]);

#endif
