// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* In unit tests the CPU device is linked with the core, instead of being opened as a library of its own. */
#include "core_calls.h"
#include "cpu/cpu_library.h"

enum { ENTRIES = 0
#define GPUPROF_CPU_ENTRY(schedule, result, name, parameters) +1
#include "gpuprof/cpu_entries.inc"
};
const void *gp_cpu_entry_slots[ENTRIES];

gp_cpu_open_function gp_cpu_open;
gp_cpu_open_function *gp_cpu_library_open(void) { return gp_cpu_open; }

void gp_core_calls_open(const struct gp_core_calls *core) { (void)core; }

/* Tests of the engine call it without opening the device. */
extern struct gpuprof_cpu_sectors *gp_cpu_sectors;
__attribute__((constructor)) static void share_sectors(void) { gp_cpu_sectors = &__gpuprof_cpu_sectors; }
